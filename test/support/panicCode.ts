// Creation code that makes the native code of EDR 0.20.0 panic, and code that returns and logs what it sees of its
// block.
import type { Hex } from '../../ledger/encoding/hex.ts';

// PUSH1 size, PUSH1 12, PUSH0, CODECOPY, PUSH1 size, PUSH0, RETURN: returns what follows it.
const toCreationCode = (runtime: string): Hex => {
  const size = (runtime.length / 2).toString(16).padStart(4, '0');
  return `0x61${size}80600a5f395ff3${runtime}`;
};

/** Code of one byte, PUSH20. Whatever has it panics when it is called. */
const SHORT = '73';

/** Creates a contract that panics when it is called. */
export const toPanicCode = (): Hex => toCreationCode(SHORT);

// MSTORE8 of PUSH20, then CREATE of that byte.
const NESTED = '60735f5360015f5ff000';

/** Panics in a block of this time, in seconds since 1970, and in no other. */
export const toPanicCodeAt = (timestampSeconds: number): Hex =>
  `0x4263${timestampSeconds.toString(16).padStart(8, '0')}14600b57005b${NESTED}`;

// Writes two words to the memory and reverts with 36 bytes of it: `Panic(uint256)` with this code.
const toPanicRevert = (code: string): Hex => `0x7f4e487b71${'00'.repeat(28)}5f527f${code}60045260245ffd`;

/** Code for a call or a transaction that has no recipient. */
export const PANICS: Readonly<Record<string, Hex>> = {
  'code that ends within PUSH20': `0x${SHORT}`,
  'such code in a nested creation': `0x${NESTED}`,
  'a revert with a code of Panic that has over 64 bits': toPanicRevert('ff'.repeat(32)),
};

const BEACON_ROOTS = '000f3df6d732807ef1319fb7b8bb8522d0beac02';
// NUMBER, PREVRANDAO, COINBASE, GASLIMIT, BASEFEE, BLOBBASEFEE, CHAINID; BLOCKHASH of the parent. What is pending has
// the time of the machine's clock.
const OF_BLOCK = ['43', '44', '41', '45', '48', '4a', '46', '6001430340'];
// The root of the beacon chain at this time, from the system contract, or 0 where it has none.
const BEACON_ROOT = `42610200526020610220602061020073${BEACON_ROOTS}5afa5061022051`;
const PARTS = [...OF_BLOCK, BEACON_ROOT];

const toWord = (at: number): string => `61${(at * 32).toString(16).padStart(4, '0')}`;

// Stores each part as a word, logs all of them, and returns them.
const ENVIRONMENT = `${PARTS.map((part, at) => `${part}${toWord(at)}52`).join('')}${toWord(PARTS.length)}5fa0${toWord(PARTS.length)}5ff3`;

/** Creates a contract that logs and returns what it sees of its block. */
export const ENVIRONMENT_CODE = toCreationCode(ENVIRONMENT);
