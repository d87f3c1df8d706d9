// What the demo is going to record: pure data, with times relative to the moment at which its first asset was created.
import type { Draws } from './draws.ts';
import type { SeaPort } from './ports.ts';

/** The applications that record. */
export type DemoAuthor = 'carrier' | 'port' | 'inspector';

/** Attributes as strings. */
export type Texts = Readonly<Record<string, string>>;

/** A person or a device that the application names as having acted. */
export interface Actor {
  readonly issuer: string;
  readonly subject: string;
  readonly display_name: string;
  readonly email: string;
}

/** A file to generate, upload and attach. */
export interface PlannedFile {
  /** Unique among the files of a plan. */
  readonly name: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** When it was issued, in hours before the first asset was created. */
  readonly issuedHoursAgo: number;
}

/** An event of an asset. */
export interface PlannedEvent {
  readonly author: DemoAuthor;
  readonly actor: Actor;
  readonly hoursAgo: number;
  /** The event's `arc_display_type`. */
  readonly type: string;
  readonly description: string;
  readonly eventAttributes: Texts;
  readonly assetAttributes: Texts;
  /** A file that the event attaches to the asset. */
  readonly file?: PlannedFile;
  /** The port that becomes the asset's home location. */
  readonly home?: SeaPort;
  /** Whether it is recorded after everything else, when the limits of the policies have passed. */
  readonly isLate?: boolean;
  /** Whether it is the event that the demo forges. */
  readonly isForged?: boolean;
}

/** A voyage, in hours before the first asset was created. */
export interface Journey {
  /** The stops in order. */
  readonly route: readonly SeaPort[];
  readonly departureHoursAgo: number;
  /** Below 0: it arrives later. */
  readonly arrivalHoursAgo: number;
}

/** An asset and its events, oldest first. */
export interface PlannedAsset {
  /** Unique among the assets of a plan. */
  readonly name: string;
  readonly author: DemoAuthor;
  readonly isPublic: boolean;
  readonly behaviours: readonly string[];
  readonly attributes: Texts;
  readonly home: SeaPort;
  readonly events: readonly PlannedEvent[];
  /** Undefined for an asset that doesn't travel. */
  readonly journey?: Journey;
}

/** What the plan of one asset depends on. */
export interface AssetPlanInput {
  readonly draws: Draws;
  /** Position of the asset among those of its type, from 0. */
  readonly index: number;
  /** Events besides those that every asset of its role has. */
  readonly extraEvents: number;
}

/** Somebody of an organisation of the demo. */
export const toActor = (organisation: string, subject: string, display_name: string): Actor => ({
  issuer: `https://${organisation}.example`,
  subject,
  display_name,
  email: '',
});
