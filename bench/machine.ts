// What a benchmark ran on, for its report.
import { cpus, totalmem } from 'node:os';

/** Cores, memory, platform and Node's version. */
export const describeMachine = (): string =>
  `${cpus().length} cores (${cpus()[0]!.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.version}`;
