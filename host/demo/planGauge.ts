// The plan of a pressure gauge: it has a calibration certificate, and is checked.
import { type AssetPlanInput, type PlannedAsset, type PlannedEvent, type PlannedFile, toActor } from './plan.ts';
import { PORTS } from './ports.ts';

/** The display type of gauges. */
export const GAUGE_TYPE = 'Pressure gauge';
/** The display type of checks. */
export const CHECK_TYPE = 'Gauge check';

const YEAR_HOURS = 365 * 24;
const FIRST_HOURS_AGO = 13 * 24;
const laboratory = toActor('inspector', 'calibration-laboratory-5', 'Calibration laboratory 5');
const mechanic = toActor('port', 'mechanic-6', 'Rosa Marin');

const toCertificate = ({ draws, index }: AssetPlanInput, issue: number, hoursAgo: number): PlannedFile => {
  const number = `C-${1_000 + draws.index(`gauge ${index} certificate`, 9_000)}-${issue}`;
  const deviation = draws.between(`gauge ${index} deviation ${issue}`, 0.01, 0.09).toFixed(2);
  return {
    name: `gauge-${index}-certificate-${issue}`,
    title: `Calibration certificate ${number}`,
    lines: [
      `Pressure gauge ${toSerial(index)}, range 0 to 10 bar`,
      `Largest deviation ${deviation} bar, permitted 0.10 bar`,
      'Issued by calibration laboratory 5. Invented for a demonstration.',
    ],
    issuedHoursAgo: hoursAgo,
  };
};

const toSerial = (index: number): string => `PG-${String(index + 1).padStart(3, '0')}`;

const toCalibration = (file: PlannedFile, hoursAgo: number): PlannedEvent => ({
  author: 'inspector',
  actor: laboratory,
  hoursAgo,
  type: 'Calibration',
  description: file.title,
  eventAttributes: {},
  assetAttributes: { certificate: file.title },
  file,
});

// The laboratory found an error in the first certificate: the second replaces it.
const toSuperseded = (first: PlannedFile, second: PlannedFile, hoursAgo: number): PlannedEvent => ({
  author: 'inspector',
  actor: laboratory,
  hoursAgo,
  type: 'Certificate superseded',
  description: `${first.title} is superseded by ${second.title}`,
  eventAttributes: { superseded_certificate: first.title, valid_certificate: second.title },
  assetAttributes: { superseded_certificate: first.title },
});

/** A check of a gauge by a mechanic of the port. */
export const toGaugeCheck = (hoursAgo: number, pressure: number): PlannedEvent => ({
  author: 'port',
  actor: mechanic,
  hoursAgo,
  type: CHECK_TYPE,
  description: `Shows ${pressure.toFixed(2)} bar at 5.00 bar`,
  eventAttributes: { pressure: pressure.toFixed(2) },
  assetAttributes: { pressure: pressure.toFixed(2) },
});

const toCalibrations = (input: AssetPlanInput): PlannedEvent[] => {
  const first = toCertificate(input, 1, FIRST_HOURS_AGO);
  const events = [toCalibration(first, FIRST_HOURS_AGO)];
  if (input.index !== 0) return events;
  const second = toCertificate(input, 2, FIRST_HOURS_AGO / 2);
  const at = second.issuedHoursAgo;
  return [...events, toCalibration(second, at), toSuperseded(first, second, at - 0.1)];
};

/** Plans a gauge. That with the index 0 has a superseded certificate; those with 1 and 2 are in continuous duty. */
export const planGauge = (input: AssetPlanInput): PlannedAsset => {
  const { draws, index, extraEvents } = input;
  const home = PORTS[draws.index(`gauge ${index} home`, PORTS.length)]!;
  const checks = Array.from({ length: 1 + extraEvents }, (_, check) => {
    const hoursAgo = (FIRST_HOURS_AGO * (extraEvents + 1 - check)) / (extraEvents + 2);
    return toGaugeCheck(hoursAgo, draws.between(`gauge ${index} pressure ${check}`, 4.9, 5.1));
  });
  return {
    name: `gauge-${index}`,
    author: 'inspector',
    isPublic: index === 0,
    behaviours: ['Attachments', 'RecordEvidence'],
    attributes: {
      arc_display_name: `Gauge ${toSerial(index)}`,
      arc_display_type: GAUGE_TYPE,
      arc_serial_number: toSerial(index),
      arc_description: `Pressure gauge at the port of ${home.name}`,
      duty: index === 1 || index === 2 ? 'continuous' : 'occasional',
      calibration_interval_hours: String(YEAR_HOURS),
    },
    home,
    events: [...toCalibrations(input), ...checks].sort((a, b) => b.hoursAgo - a.hoursAgo),
  };
};
