// How much gas a stranger's call or transaction may ask for. EDR keeps about 1 KiB of trace for every step while it executes,
// and the cheapest step costs one gas: without this bound, one call with a large gas limit takes the whole process down.

/** Bytes of memory that one unit of gas can take at worst, for as long as the execution runs. */
const BYTES_PER_GAS = 1024;
/** Gas of a byte of calldata at most: it is paid before the first step, so it takes no trace. */
const GAS_PER_CALLDATA_BYTE = 16;

export interface GasBudget {
  /** Largest gas limit for an execution with calldata of this length, as memory stands now. */
  readGasMax(calldataBytes: number): number;
}

/** Budget of `gasMax` of execution, or less when that could take more than half of the memory that is free now. */
export const createGasBudget = (options: { gasMax: number; readAvailableBytes: () => number }): GasBudget => ({
  readGasMax: (calldataBytes) => {
    const affordable = Math.floor(options.readAvailableBytes() / 2 / BYTES_PER_GAS);
    return Math.min(options.gasMax, affordable) + calldataBytes * GAS_PER_CALLDATA_BYTE;
  },
});
