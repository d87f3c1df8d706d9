// The program of the thread that decodes logs: it answers each message with the records of its logs.
import { parentPort } from 'node:worker_threads';
import { buffersOf, decodeLogs, encodeRecords, type LogsMessage } from '../../indexer/projection/decodingMessages.ts';

parentPort?.on('message', (message: LogsMessage) => {
  const answer = encodeRecords(decodeLogs(message), message.domain);
  parentPort?.postMessage(answer, buffersOf(answer));
});
