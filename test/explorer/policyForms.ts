// How a person fills in the form of each type of policy, on an asset with a fault that is repaired, and one that isn't.
import type { Page } from 'playwright-core';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { FixtureTenant } from '../support/fixtureTenant.ts';

/** A type, how its form is filled in, and what it then says of the asset. */
export interface FilledForm {
  readonly type: string;
  fill(page: Page): Promise<void>;
  /** Undefined: the asset complies. */
  readonly reason?: string;
  readonly content: object;
}

const fillPair = async (page: Page): Promise<void> => {
  await page.getByLabel('Type of event (required)').fill('Fault');
  await page.getByLabel('Type of the event that closes it').fill('Repair');
};

const fillPeriod = async (page: Page, label: string, period: string, unit: string): Promise<void> => {
  await page.getByLabel(label).fill(period);
  await page.getByLabel('Unit').selectOption(unit);
};

const PAIR = { event_display_type: 'Fault', closing_event_display_type: 'Repair' };

export const FILLED_FORMS: readonly FilledForm[] = [
  {
    type: 'COMPLIANCE_SINCE',
    fill: async (page) => {
      await page.getByLabel('Type of event (required)').fill('Inspection');
      await fillPeriod(page, 'Period', '90', 'days');
    },
    reason: 'No events found',
    content: { event_display_type: 'Inspection', time_period_seconds: '7776000' },
  },
  {
    type: 'COMPLIANCE_CURRENT_OUTSTANDING',
    fill: fillPair,
    reason: 'No closing event for Fault',
    content: PAIR,
  },
  {
    type: 'COMPLIANCE_PERIOD_OUTSTANDING',
    fill: async (page) => {
      await fillPair(page);
      await fillPeriod(page, 'Period', '1.5', 'hours');
    },
    content: { ...PAIR, time_period_seconds: '5400' },
  },
  {
    type: 'COMPLIANCE_DYNAMIC_TOLERANCE',
    fill: async (page) => {
      await fillPair(page);
      await fillPeriod(page, 'Window', '30', 'days');
      await page.getByLabel('Standard deviations').fill('1.5');
    },
    content: { ...PAIR, dynamic_window: '2592000', dynamic_variability: 1.5 },
  },
  {
    type: 'COMPLIANCE_RICHNESS',
    fill: async (page) => {
      await page.getByLabel('Attribute 1.1').last().fill('force');
      await page.getByLabel('Condition 1.1').last().selectOption('<');
      await page.getByLabel('Value 1.1').last().fill('7');
      await page.getByRole('button', { name: 'Or …' }).last().click();
      await page.getByLabel('Attribute 1.2').last().fill('force');
      await page.getByLabel('Value 1.2').last().fill('10');
      await page.getByRole('button', { name: 'And …' }).last().click();
      await page.getByLabel('Attribute 2.1').last().fill('seal');
      await page.getByLabel('Condition 2.1').last().selectOption('!=');
      await page.getByLabel('Value 2.1').last().fill('open');
    },
    reason: 'No assertion holds: force<7 or force=10',
    content: { richness_assertions: [{ or: ['force<7', 'force=10'] }, { or: ['seal!=open'] }] },
  },
];

/** Records the asset: its force was 6 when it was created, and is 8. */
export const recordFaulty = async ({ post }: FixtureTenant): Promise<{ asset: AssetResource; before: string }> => {
  const attributes = { arc_display_name: 'Door 7', arc_display_type: 'Fire door', force: '6', seal: 'shut' };
  const asset = (await post<AssetResource>('assets', { attributes })).body;
  let before = asset.at_time;
  for (const [type, id, force] of [
    ['Fault', '1', '6'],
    ['Repair', '1', '6'],
    ['Fault', '2', '8'],
  ]) {
    const event_attributes = { arc_display_type: type!, arc_correlation_id: id! };
    const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes, asset_attributes: { force } };
    const event = (await post<{ timestamp_accepted: string }>(`${asset.identity}/events`, body)).body;
    if (force === '6') before = event.timestamp_accepted;
  }
  return { asset, before };
};
