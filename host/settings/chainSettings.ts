// The settings of a network that carries the ledger: its nodes, its finality, its contract, and the tenants served.
import { LEDGER_LIMITS } from './installationLimits.ts';
import {
  asAgreeing,
  asConfirmations,
  asContract,
  asHeadUrls,
  asNodeUrls,
  asPromise,
  asTenants,
  asValidators,
} from './networkSettings.ts';
import { optional, setting } from './setting.ts';
import { asCorsOrigins, asInFlight, asOneOf } from './settingReaders.ts';

/** Where the engine of the embedded chain may run. */
export const CHAIN_ENGINES = ['process', 'inside'] as const;

/** The settings by their names in the configuration. */
export const CHAIN_SETTINGS = {
  chainEngine: setting(
    'CHAIN_ENGINE',
    'inside',
    asOneOf(CHAIN_ENGINES),
    'Where the engine of the embedded chain runs: `inside`, in the process of the server, which ends with it; or `process`, in one of its own, which is started again when it ends (see [operations.md](operations.md#when-the-engine-ends)), and makes writes [slower](measurements/engine.md)',
  ),
  chainRpcCorsOrigins: optional(
    'CHAIN_RPC_CORS_ORIGINS',
    asCorsOrigins,
    'Origins of web pages that may use the JSON-RPC port of the embedded chain in a browser, separated by commas: such as `http://127.0.0.1:8000`, or `null` for pages opened from a file, which opens it to [every page](security.md#web-pages-and-the-port). Without it none may',
  ),
  chainRpcUrls: optional(
    'CHAIN_RPC_URL',
    asNodeUrls,
    'Nodes of the network that carries the ledger, separated by commas (see [deployment.md](deployment.md)); without it the embedded chain is used',
  ),
  chainWsUrls: optional(
    'CHAIN_WS_URL',
    asHeadUrls,
    'WebSocket addresses (`ws://` or `wss://`) of nodes of that network, separated by commas, at which they announce their new blocks (see [deployment.md](deployment.md)); without it, and while none works, blocks are polled. Only with `CHAIN_RPC_URL`',
  ),
  ledgerContract: optional(
    'LEDGER_CONTRACT',
    asContract,
    'Contract of a ledger that another organisation, or another server of this one, deployed: this server [joins](operations.md#a-ledger-of-several-organisations) it, without any of their keys. Only with `CHAIN_RPC_URL`',
  ),
  chainConfirmations: setting(
    'CHAIN_CONFIRMATIONS',
    1,
    asConfirmations,
    'Blocks that make a block of the network final, itself included; or `finalized`, for the finality that its nodes report',
  ),
  chainAgreeing: optional(
    'CHAIN_AGREEING',
    asAgreeing,
    'How many URLs of `CHAIN_RPC_URL` must agree on the hash of a final block; without it a majority of all of them',
  ),
  chainValidators: optional(
    'CHAIN_VALIDATORS',
    asValidators,
    'Addresses of the validators of a QBFT or IBFT 2.0 network, separated by commas: a block is final when two thirds of them have sealed it, whatever its nodes say; without it seals are not checked. Not together with `CHAIN_AGREEING`',
  ),
  chainEmptyBlocks: optional(
    'CHAIN_EMPTY_BLOCKS',
    asPromise,
    '`yes` when the network makes blocks without transactions too, `no` when it makes blocks on demand: whether silence is reported as `CHAIN_STALLED`. Without it QBFT and IBFT 2.0 count as `yes`, clique when it has made an empty block, and all others as `no`',
  ),
  transactionsInFlight: setting(
    'TRANSACTIONS_IN_FLIGHT',
    LEDGER_LIMITS.transactionsInFlight,
    asInFlight,
    'Transactions of the relayer on a network that may be sent and not mined yet; the nodes of some networks keep fewer of one account',
  ),
  servedTenants: optional(
    'SERVED_TENANTS',
    asTenants,
    'Identities of the tenants that this server serves on a network, separated by commas; one without an author key here is served to read only. Without it those whose author key is, or was, in `DATA_DIR/keys`. Another set than before may rebuild the index',
  ),
  sharingTenants: optional(
    'SHARING_TENANTS',
    asTenants,
    'Identities of tenants of other organisations on a network, separated by commas, that share records with the tenants of this server, or record events on their assets. The index has their records and this server does not serve them. Another set than before may rebuild the index',
  ),
} as const;
