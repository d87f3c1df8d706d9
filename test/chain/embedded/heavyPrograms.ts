// EVM programs that fill a node's trace as much as their gas allows. Each is the creation code of a contract, runs
// until its gas is used up, and is the worst of its kind that was found.

const CODE_BYTES_MAX = 49_152;

const toHexWord = (value: number, bytes: number): string => value.toString(16).padStart(bytes * 2, '0');
const push2 = (value: number): string => `61${toHexWord(value, 2)}`;
const push3 = (value: number): string => `62${toHexWord(value, 3)}`;

/** Repeats the body, after a prologue that runs once. */
export const toLoop = (prologue: string, body: string, bytesMax = CODE_BYTES_MAX): string => {
  const start = prologue.length / 2;
  const repeats = Math.floor((bytesMax - start - 5) / (body.length / 2));
  return `0x${prologue}5b${body.repeat(repeats)}${push2(start)}56`;
};

/**
 * MSTORE at the end of the memory that `gas` pays for: 3 gas for each word, and a 512th of the square of their number.
 */
const growMemory = (gas: number): string => {
  const words = Math.floor(Math.sqrt(768 ** 2 + gas * 512) - 768);
  return `5f${push3(words * 32 - 32)}52`;
};

/** Programs by name, for an execution with `gas` for its steps. */
export const toHeavyPrograms = (gas: number): Record<string, string> => ({
  'the cheapest step': toLoop('', '5b'),
  'the cheapest step on a deep stack': toLoop('5f'.repeat(1_020), '5b'),
  'the cheapest step with much memory': toLoop(growMemory(gas * 0.3), '5b'),
  'the cheapest step after a large return': toLoop(`${growMemory(gas * 0.2)}5f5f595f60045afa50`, '5b'),
  pushes: toLoop('', '5f50'),
  'static calls with a large input': toLoop(growMemory(gas * 0.3), '5f5f595f305ffa50'),
  'calls with a large input': toLoop(growMemory(gas * 0.3), '5f5f595f5f305ff150'),
  'delegate calls with a large input': toLoop(growMemory(gas * 0.3), '5f5f595f305ff450'),
  'calls of MODEXP with a large input': toLoop(growMemory(gas * 0.3), '5f5f595f6005610100fa50'),
  'calls of the identity with a large input': toLoop(growMemory(gas * 0.1), '595f595f60045afa50'),
  'creations of contracts': toLoop('', '5f5f5ff050'),
  'logs of much data': toLoop(growMemory(gas * 0.1), '595fa0'),
  'copies of returned data': toLoop('', '5f5f5f3e'),
  'a large revert': `0x${push3(0x018000)}5ffd`,
});
