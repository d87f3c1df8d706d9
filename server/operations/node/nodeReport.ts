// Converts a node report to its wire form. Unknown values are empty: a node that is unreachable has the zero values of
// the interface.
import type { LastKnownStatus, NodeReport, NodeStatus, ReportedNode } from '../../../chain/port.ts';
import { NEVER_COMMITTED, toBlockTimestamp, toTimestamp } from '../../../ledger/encoding/timestamp.ts';
import type { components } from '../../openapi/api.gen.ts';
import { toReportedHeadJson, toStallJson, toValidatorsJson } from './chainReport.ts';
import { toValidatorKeyJson } from './validatorKeyJson.ts';

type Schemas = components['schemas'];

type Shown = Omit<Schemas['ChainNode'], 'host' | 'last_known'>;

const UNREACHABLE: Shown = {
  validator_pubkey: toValidatorKeyJson(undefined),
  block_height: '0',
  connection_status: 'UNREACHABLE',
  genesis_hash: '',
  state_root: '',
  timestamp_committed: NEVER_COMMITTED,
  timestamp_created: NEVER_COMMITTED,
  syncing: null,
  peers: [],
};

const toSyncingJson = ({ syncing }: NodeStatus): Schemas['ChainNode']['syncing'] =>
  syncing === undefined
    ? null
    : {
        StartingBlock: syncing.startingBlock,
        CurrentBlock: syncing.currentBlock,
        HighestBlock: syncing.highestBlock,
      };

const toReachableJson = (status: NodeStatus): Shown => ({
  validator_pubkey: toValidatorKeyJson(status.validatorKey),
  block_height: String(status.height),
  connection_status: 'REACHABLE',
  genesis_hash: status.genesisHash,
  state_root: status.genesisStateRoot,
  timestamp_committed: toBlockTimestamp(status.headAtSeconds),
  timestamp_created: toBlockTimestamp(status.genesisAtSeconds),
  syncing: toSyncingJson(status),
  peers: status.peers.map(({ validatorKey }) => ({
    validator_pubkey: toValidatorKeyJson(validatorKey),
    connection_status: 'REACHABLE',
  })),
});

const toLastKnownJson = ({ validatorKey, height, headAtSeconds, atMs }: LastKnownStatus): Schemas['LastKnownNode'] => ({
  validator_pubkey: toValidatorKeyJson(validatorKey),
  block_height: String(height),
  timestamp_committed: toBlockTimestamp(headAtSeconds),
  timestamp_seen: toTimestamp(atMs),
});

const toNodeJson = ({ host, status, lastKnown }: ReportedNode): Schemas['ChainNode'] => ({
  ...(status === undefined ? UNREACHABLE : toReachableJson(status)),
  host: host ?? null,
  last_known: lastKnown === undefined ? null : toLastKnownJson(lastKnown),
});

/** The wire form of a report (decision 50). */
export const toNodeReportJson = (report: NodeReport): Schemas['NodeReport'] => ({
  identity: report.kind ?? 'unknown',
  chain_head: toReportedHeadJson(report),
  chain_stalled: report.progress === undefined ? null : toStallJson(report.progress),
  chain_validators: report.progress === undefined ? null : toValidatorsJson(report.progress),
  blockchain_nodes: report.nodes.map(toNodeJson),
});
