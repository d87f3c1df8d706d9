// Slips in the recording of events from requests of many lines.
import type { Defect } from './defect.ts';

const GROUPS = 'server/records/eventGroups.ts';
const HANDLER = 'server/operations/events/createEvents.ts';

/** Defects of requests of many lines. */
export const lineDefects: readonly Defect[] = [
  {
    name: 'line-answered-before-durable',
    file: GROUPS,
    find: 'const committed = await commitment;',
    replace:
      "const committed = { confirmation_status: 'PENDING', block_number: 0, transaction_index: 0, transaction_id: '' } as Commitment;",
    breaks: 'a line is answered when its record is durable',
    foundBy: 'kill',
  },
  {
    name: 'key-of-line-ignored',
    file: HANDLER,
    find: 'key === undefined ? newUuid() : toKeyedUuid(caller, toEventCollection(assetUuid), key);',
    replace: 'key === undefined || key === key ? newUuid() : toKeyedUuid(caller, toEventCollection(assetUuid), key);',
    breaks: 'lines with the same key have one record',
    foundBy: 'repeated request, lines with one key',
  },
  {
    name: 'key-of-line-without-exclusion',
    file: GROUPS,
    find: 'runExclusively([...new Set(keyed)], task).catch(reject);',
    replace: 'task().catch(reject);',
    breaks: 'groups with the same key run one after the other',
    foundBy: 'request that is sent twice at the same time',
  },
  {
    name: 'key-within-group-overlooked',
    file: GROUPS,
    find: "if (creation.isKeyed && 'proposed' in step) keyed.add(creation.eventUuid);",
    replace: '',
    breaks: 'two lines of a group with the same key have one record',
    foundBy: 'lines with one key in a request',
  },
  {
    name: 'line-checked-on-refused-line',
    file: GROUPS,
    find: 'if (refusedAssets.has(creation.assetUuid)) break;',
    replace: '',
    breaks: 'a line is checked without the refused lines before it, and may have their key',
    foundBy: 'lines with one key in a request, full outbox',
  },
  {
    name: 'results-out-of-order',
    file: 'server/lines/mapInOrder.ts',
    find: 'yield await running.shift()!;',
    replace: 'yield await running.pop()!;',
    breaks: 'the results of lines are in their order',
    foundBy: 'request of several groups',
  },
  {
    name: 'result-of-other-line',
    file: HANDLER,
    find: "return lines.map((line) => ('value' in line ? recorded.next().value! : refuse(line.refusal)));",
    replace:
      "return lines.map((line) => recorded.next().value ?? refuse('refusal' in line ? line.refusal : undefined));",
    breaks: 'each line has its own result',
    foundBy: 'line that is no JSON',
  },
  {
    name: 'groups-out-of-order',
    file: GROUPS,
    find: 'const accepted = earlier.then(() => run(group));',
    replace: 'const accepted = run(group);',
    breaks: 'the lines of a request are recorded in their order',
    foundBy: 'request of several groups, of which one waits for a key',
  },
  {
    name: 'cut-off-line-recorded',
    file: 'server/lines/splitLines.ts',
    find: '    if (from < chunk.length) current.add(chunk.subarray(from));\n',
    replace: '    if (from < chunk.length) {\n      current.add(chunk.subarray(from));\n      end();\n    }\n',
    breaks: 'a line that arrives in pieces is one line',
    foundBy: 'body in pieces',
  },
];
