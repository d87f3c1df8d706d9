// The URL of a node, apart from the password that it may hold.

/** A node's URL in parts. */
export interface NodeUrl {
  /** Without user name and password. */
  readonly url: string;
  /** Scheme, host and port: the part without passwords and access keys, which may be shown. */
  readonly name: string;
  /** Value of the header `Authorization`; undefined when the URL has neither user name nor password. */
  readonly authorization: string | undefined;
}

/** Splits a URL that may hold a user name and a password. */
export const splitNodeUrl = (text: string): NodeUrl => {
  const url = new URL(text);
  const { username, password, origin } = url;
  url.username = '';
  url.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = pair === ':' ? undefined : `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
  return { url: url.href, name: origin, authorization };
};
