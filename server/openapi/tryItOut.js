// The beginning of the start script of both /docs pages. Swagger UI fills a form with the first example, and "Execute"
// would send it: as a filter of a list, or as a record that can't be deleted. So the pages put a value that sends
// nothing, or that the server refuses, before the examples, which a reader can choose.

const NO_VALUE = { summary: 'none', value: '' };

// A JSON text that is no object: every operation refuses it.
const NO_BODY = 'choose an example, or write the body here';

/** @param {any} parameter */
const changeParameter = (parameter) => {
  const { example, schema } = parameter;
  if (example !== undefined) {
    delete parameter.example;
    parameter.examples = { none: NO_VALUE, example: { summary: 'example', value: example } };
  }
  // OpenAPI 2.0 has the body among the parameters.
  if (parameter.in === 'body' && schema.example !== undefined) schema.example = NO_BODY;
};

/** @param {any} operation */
const changeOperation = ({ parameters = [], requestBody = { content: {} } }) => {
  parameters.forEach(changeParameter);
  for (const content of Object.values(requestBody.content))
    if (content.examples !== undefined)
      content.examples = { none: { summary: 'none', value: NO_BODY }, ...content.examples };
};

// Both pages remember their token under the name of its scheme, but only OpenAPI 2.0 has `Bearer ` before it: two names
// keep them apart.
/** @param {any} document */
const renameScheme = ({ paths, securityDefinitions }) => {
  if (securityDefinitions === undefined) return;
  securityDefinitions.authorization = securityDefinitions.bearer;
  delete securityDefinitions.bearer;
  for (const item of Object.values(paths))
    for (const operation of Object.values(item)) operation.security = [{ authorization: [] }];
};

// A path item also has members that aren't operations, such as `servers`.
/** @param {any} document */
const changeDocument = ({ paths, components = {} }) => {
  Object.values(components.parameters ?? {}).forEach(changeParameter);
  for (const item of Object.values(paths))
    for (const operation of Object.values(item)) if (!Array.isArray(operation)) changeOperation(operation);
};

/**
 * Returns a response interceptor of Swagger UI that changes the document at `url` so that no example is sent unless it
 * is chosen.
 * @param {string} url
 */
const createEmptyForms = (url) => (/** @type {{ url: string, text: string }} */ response) => {
  if (new URL(response.url).pathname !== url) return response;
  const document = JSON.parse(response.text);
  changeDocument(document);
  renameScheme(document);
  return { ...response, text: JSON.stringify(document) };
};

Object.assign(globalThis, { createEmptyForms });
