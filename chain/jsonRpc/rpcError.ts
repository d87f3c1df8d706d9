// JSON-RPC errors: a code, a message, and data. ethers decodes a contract's custom error from `data`.

/** Error codes of JSON-RPC 2.0 and, for Ethereum, of EIP-1474. */
export const RPC_CODE = {
  REVERTED: 3,
  REFUSED: -32000,
  UNAVAILABLE: -32002,
  LIMIT_EXCEEDED: -32005,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INVALID_PARAMS: -32602,
  INTERNAL: -32603,
  /** Besu's code for a method that its operator hasn't enabled. */
  METHOD_DISABLED: -32604,
  PARSE: -32700,
} as const;

/** The error that a node answered with. `data` is undefined where there is none. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** INVALID_PARAMS: the refusal of a request's parameters. */
export const refuseParams = (message: string): RpcError => new RpcError(RPC_CODE.INVALID_PARAMS, message);

/** Whether the node doesn't offer the method. */
export const isMethodMissing = ({ code }: RpcError): boolean =>
  code === RPC_CODE.METHOD_NOT_FOUND || code === RPC_CODE.METHOD_DISABLED;

const ABOUT_REQUEST: readonly number[] = [
  RPC_CODE.REVERTED,
  RPC_CODE.INVALID_REQUEST,
  RPC_CODE.INVALID_PARAMS,
  RPC_CODE.PARSE,
];

/**
 * Whether every node would answer the request with this error. All others may be about the one node: its pruned blocks,
 * its disabled methods, its limits. Clients have no codes in common for these.
 */
export const isAboutRequest = ({ code, message }: RpcError): boolean =>
  ABOUT_REQUEST.includes(code) || /revert/i.test(message);
