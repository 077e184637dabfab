import type { ColumnType, Generated, GeneratedAlways, Kysely, RawBuilder, Transaction } from 'kysely'
import type { Json, JsonOrNull, RowColumns, Time, TimeOrNull, Visibility } from './schema-columns.ts'
import type {
  ActivityHiddenTable,
  ActivityTable,
  AlertReadTable,
  AlertTable,
  AssetFolderTable,
  AssetTable,
  DeliveryTable,
  EmailTokenTable,
  FlagTable,
  IdempotencyTable,
  ImportBatchTable,
  ImportObjectTable,
  ImportRejectTable,
  ImporterTable,
  InviteTable,
  JobLogTable,
  JobTable,
  MailTable,
  ObserverTable,
  OutboxTable,
  ShortLinkTable,
  StorageCheckTable,
} from './schema-work.ts'
import type { BoundaryTables } from './schema-boundary.ts'
import type { HubTable, PublishFailureTable } from './schema-hub.ts'
import type { PasskeyTable, TwoFactorTable } from './schema-factors.ts'
import type { CustomFieldTables } from './schema-custom-field.ts'
import type { ErrorReportTables } from './schema-error-report.ts'
import type { DataTypeChangeTable, DataTypeMoveSourceTable, DataTypeMoveTable } from './schema-move.ts'
import type { ClosedPlaceTable, PlaceRequestTable } from './schema-place-request.ts'
import type { PlaceArchiveTable, PlaceImportTable } from './schema-archive.ts'
import type { MailDomainTable, PlaceSsoTable, SsoIdentityTable } from './schema-sso.ts'
import type { StoryTables } from './schema-story.ts'
import type { UsageTables } from './schema-usage.ts'
import type { CustomValues } from '#functions/shapes/custom-field.ts'
import type { Cadence, VersionMetadata } from '#functions/shapes/metadata.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { EmptyTexts, FieldProfile, FieldStat } from '#functions/shapes/field-profile.ts'
import type { MapConfiguration, OwnBoundary } from '#functions/shapes/place.ts'
import type { SampleThing } from '#functions/shapes/sample.ts'

export type { Visibility } from './schema-columns.ts'
export type { BuildFailure } from './schema-hub.ts'
export type { AssetTable, JobStatus, MailKind, TokenKind } from './schema-work.ts'

/**
 * The tables, in camelCase as Kysely's plugin returns them; the database has snake_case.
 * Tables of records (`data.*`) are not included: see `data-table.ts`.
 */
export interface Tables
  extends BoundaryTables, StoryTables, UsageTables, ErrorReportTables, CustomFieldTables {
  place: PlaceTable
  placeDomain: PlaceDomainTable
  placeUser: PlaceUserTable
  placeRequest: PlaceRequestTable
  closedPlace: ClosedPlaceTable
  placeArchive: PlaceArchiveTable
  placeImport: PlaceImportTable
  user: UserTable
  session: SessionTable
  twoFactor: TwoFactorTable
  passkey: PasskeyTable
  account: AccountTable
  verification: VerificationTable
  confirmation: ConfirmationTable
  emailChange: EmailChangeTable
  knownDevice: KnownDeviceTable
  placeAccess: PlaceAccessTable
  placeSso: PlaceSsoTable
  mailDomain: MailDomainTable
  ssoIdentity: SsoIdentityTable
  apiKey: ApiKeyTable
  role: RoleTable
  operation: OperationTable
  roleOperation: RoleOperationTable
  dataType: DataTypeTable
  source: SourceTable
  sourceStat: SourceStatTable
  fieldProfile: FieldProfileTable
  sourceVersion: SourceVersionTable
  clusterPyramid: ClusterPyramidTable
  facetPyramid: FacetPyramidTable
  dataHistory: DataHistoryTable
  dataTypeChange: DataTypeChangeTable
  dataTypeMove: DataTypeMoveTable
  dataTypeMoveSource: DataTypeMoveSourceTable
  outbox: OutboxTable
  mail: MailTable
  emailToken: EmailTokenTable
  activity: ActivityTable
  hub: HubTable
  publishFailure: PublishFailureTable
  invite: InviteTable
  activityHidden: ActivityHiddenTable
  idempotency: IdempotencyTable
  flag: FlagTable
  assetFolder: AssetFolderTable
  asset: AssetTable
  storageCheck: StorageCheckTable
  shortLink: ShortLinkTable
  importer: ImporterTable
  job: JobTable
  jobLog: JobLogTable
  importObject: ImportObjectTable
  importBatch: ImportBatchTable
  importReject: ImportRejectTable
  observer: ObserverTable
  alert: AlertTable
  alertRead: AlertReadTable
  delivery: DeliveryTable
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

interface PlaceTable extends RowColumns {
  id: string
  name: string
  displayName: string
  description: Generated<string>
  /** Sanitised HTML of the hub's About page. */
  about: Generated<string>
  /** The official name of the publishing body; '' for none. */
  publisher: Generated<string>
  /** An e-mail address or a web address; '' for none. */
  contact: Generated<string>
  /** Sanitised HTML of the hub's page on privacy. */
  privacy: Generated<string>
  isHub: Generated<boolean>
  timeZone: Generated<string>
  theme: Json<Record<string, string>>
  mapConfiguration: Json<MapConfiguration>
  /** The sections of the hub's home page, in order; null: the default. */
  hubSections: JsonOrNull<string[]>
  /** The languages of the hub, its own first; null: all there are, English first. */
  languages: JsonOrNull<string[]>
  boundaryId: string | null
  /** Areas of a boundary set of its own, instead of `boundaryId`; null: none. */
  ownBoundary: JsonOrNull<OwnBoundary>
  allStatesBoundaryId: string | null
  /** Everything that was ever created as sample data, including deleted things; null: nothing was. */
  sample: JsonOrNull<SampleThing[]>
}

/** Custom hosts of a place besides `{placeId}.{public host}`. Only verified ones are served. */
interface PlaceDomainTable {
  host: string
  placeId: string
  token: string
  verifiedAt: TimeOrNull
  createdAt: Time
  checkedAt: TimeOrNull
  /** Checks that failed in a row. */
  failures: Generated<number>
  /** When it was released: for 30 days no other place may claim it. */
  releasedAt: TimeOrNull
  /** The state of its certificate; 'pending': requested, or not checked yet. */
  certificate: Generated<'pending' | 'active' | 'failed'>
  /** A sentence about why it is not active; null when it is or the reason is unknown. */
  certificateReason: string | null
  certificateExpiresAt: TimeOrNull
  /** The expiry of the certificate that admins were warned about. */
  warnedOf: TimeOrNull
  /** Whether it may be registered at the certificate service. */
  isHosted: Generated<boolean>
  /** The last request to the certificate service. */
  askedAt: TimeOrNull
  /** The number of consecutive requests without a final result. */
  asksUnsettled: Generated<number>
}

interface PlaceUserTable {
  placeId: string
  userId: string
  /** Null: a member without a role, who sees only public data. */
  role: string | null
  createdAt: Time
}

interface UserTable {
  id: string
  email: string
  name: string
  image: string | null
  emailVerified: Generated<boolean>
  /** super_admin, support or null. */
  role: string | null
  authMethod: Generated<string>
  onboarding: Json<{ welcomed?: boolean }>
  /** Whether signing in requires a second factor. */
  twoFactorEnabled: Generated<boolean>
  /** When a new password last ended the keys of the person. */
  keysEndedAt: TimeOrNull
  createdAt: Time
  updatedAt: Time
}

interface SessionTable {
  id: string
  userId: string
  token: string
  expiresAt: Time
  ipAddress: string | null
  userAgent: string | null
  /** The last re-authentication in this session; null: none since it began. */
  provedAt: TimeOrNull
  /** The place whose provider created the session, which gives access to that place only. Null: the person's own sign-in. */
  ssoPlaceId: string | null
  createdAt: Time
  updatedAt: Time
}

interface AccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: TimeOrNull
  refreshTokenExpiresAt: TimeOrNull
  scope: string | null
  password: string | null
  createdAt: Time
  updatedAt: Time
}

interface VerificationTable {
  id: string
  identifier: string
  value: string
  expiresAt: Time
  createdAt: Time
  updatedAt: Time
}

/** A browser from which someone has signed in: failed attempts of others do not block it. */
interface KnownDeviceTable {
  secretHash: string
  userId: string
  createdAt: Generated<Date>
  lastUsedAt: Generated<Date>
}

/** A place that support staff opened with a reason, in one session. */
interface PlaceAccessTable {
  id: string
  userId: string
  /** Null: the session has ended, and this access with it. */
  sessionId: string | null
  placeId: string
  reason: string
  openedAt: Date
  /** At most an hour later; earlier where the person left. */
  endsAt: Date
}

/** The sign-up whose email confirms a person's address. */
interface ConfirmationTable {
  userId: string
  /** SHA-256 of the secret in the cookie of the browser that signed up. */
  browserHash: string | null
  createdAt: Time
}

/**
 * A change of a person's address: pending until the link at the new address is used, then it can be undone from the old
 * one for seven days.
 */
interface EmailChangeTable {
  id: string
  userId: string
  oldEmail: string
  newEmail: string
  createdAt: Time
  confirmedAt: Time | null
  expiresAt: Time
}

/** The notices: that a key expires at all, that it expires soon, that it has expired. */
export type KeyNotice = 'introduced' | 'month' | 'week' | 'end'

/** Account keys (`userId`) and source write keys (`sourceId`). The key itself is shown once and never stored. */
interface ApiKeyTable {
  id: string
  /** SHA-256 of the key, hex. */
  hash: string
  /** The first characters, for recognition. */
  prefix: string
  userId: string | null
  sourceId: string | null
  placeId: string | null
  /** Its maximal permissions: see functions/shapes/key-scope.ts. */
  scope: 'read' | 'source' | 'account' | 'internals'
  name: Generated<string>
  lastUsedAt: TimeOrNull
  /** The creator; null: unknown, or the product. */
  createdBy: ColumnType<string | null, string | null | undefined, string | null>
  /** When its owner chose a new password and decided to keep it. */
  keptAt: TimeOrNull
  createdAt: Time
  expiresAt: Time
  /** The next notice to its owner; null: none. */
  nextNotice: ColumnType<KeyNotice | null, KeyNotice | null | undefined, KeyNotice | null>
  revokedAt: TimeOrNull
}

interface RoleTable {
  id: string
  name: string
  scope: 'global' | 'place'
  isBuiltIn: Generated<boolean>
  createdAt: Time
  version: Generated<number>
}

interface OperationTable {
  id: string
  area: string
  sentence: string
  /** False: one of the organization's own bookkeeping, which no code checks. */
  isBuiltIn: Generated<boolean>
  version: Generated<number>
}

interface RoleOperationTable {
  roleId: string
  operationId: string
}

interface DataTypeTable extends RowColumns {
  id: string
  name: string
  category: string | null
  notes: Generated<string>
  schema: Json<FieldSchema>
  temporal: JsonOrNull<{ primary: string }>
  mappingLabelSchema: JsonOrNull<Record<string, string>>
  /** Null: official. Otherwise only this place's organization admins and super admins change it. */
  ownerPlaceId: string | null
  /** Name of its table in the schema `data`; null until the first datum. */
  tableName: string | null
  /** Set: deleted by its owner while sources of others still move away, or waiting for its first sources to arrive. */
  closedAt: TimeOrNull
}

interface SourceTable extends RowColumns {
  id: string
  placeId: string
  dataTypeId: string
  name: string
  notes: Generated<string>
  visibility: Visibility
  attribution: string | null
  attributionUrl: string | null
  licence: string | null
  /** The address of a licence that is not on the list. */
  licenceUrl: string | null
  /** Keywords for search. */
  tags: Generated<string[]>
  /** Null: that of its data type. */
  topic: string | null
  /** Null: the organization itself. */
  publisher: string | null
  publisherUrl: string | null
  contactName: string | null
  /** An email or web address. */
  contact: string | null
  /** How often its records are meant to be updated; null: not stated. */
  cadence: Cadence | null
  /** Its values in the metadata fields of its place, by key, including those of removed fields. */
  customFields: ColumnType<CustomValues, string | undefined, string | RawBuilder<string>>
  /** Incremented by every committed write of its records. Starts at 0: no data yet. */
  dataVersion: Generated<number>
  dataUpdatedAt: TimeOrNull
}

/** Updated in the transaction of each write, so that totals, pickers and extents never scan. */
interface SourceStatTable {
  sourceId: string
  placeId: string
  count: Generated<number>
  /** [west, south, east, north] or null without geometry. */
  extent: JsonOrNull<[number, number, number, number]>
  /** The furthest that shapes extend from the cell of their key, in degrees; null: unknown. */
  reach: JsonOrNull<[longitude: number, latitude: number]>
  /** Per field: { min, max, nulls, values: { text: count } | null }. `values` only up to 100 different ones. */
  fields: Json<Record<string, FieldStat>>
  /** Facets of the map whose cells are complete. */
  facets: Generated<string[]>
  /** The newest version in which a record was changed, removed or restored; since then records were only added. */
  changedVersion: Generated<number>
  /** Since when its regions are outdated. */
  regionsDueAt: Date | null
  /** Texts that the newest import with changes read as empty, by field. */
  readAsEmpty: JsonOrNull<Record<string, EmptyTexts>>
  updatedAt: Time
}

/** A version of a source's data. The newest one is open until it is published: changes are merged into it. */
interface SourceVersionTable {
  sourceId: string
  placeId: string
  version: number
  /** The version that its counts are relative to. */
  since: number
  at: Time
  records: number
  created: number
  updated: number
  removed: number
  /** Rows that its newest import rejected; null: unknown. */
  refused: number | null
  fieldsChanged: Generated<boolean>
  publishedAt: TimeOrNull
  /** SHA-256 of its CSV, in hexadecimal digits; null: no file was prepared. */
  sha256: string | null
  bytes: string | null
  metadata: JsonOrNull<VersionMetadata>
}

/** The profile of a field's values in a source, for one version of its data. */
interface FieldProfileTable {
  sourceId: string
  placeId: string
  field: string
  dataTypeId: string
  kind: string
  dataVersion: number
  /** The largest id of the source's records then, as text. */
  lastId: string
  /** The number of records when all of them were last profiled. */
  wholeRecords: number
  profile: Json<FieldProfile>
  /** JSON. */
  state: string
}

interface ClusterPyramidTable {
  sourceId: string
  placeId: string
  z: number
  /** Morton cell of level z + 3 (8 x 8 cells a tile). */
  cell: string
  n: number
  sumX: number
  sumY: number
}

/** The same, with a row for each value of a field with few values. */
interface FacetPyramidTable extends ClusterPyramidTable {
  /** Key and type of the field: `kind:text`. */
  facet: string
  /** '' without a value, else '=' and the value. */
  value: string
}

/** Undo snapshots of replaced and deleted records, by the version that replaced them. */
interface DataHistoryTable {
  id: GeneratedAlways<string>
  sourceId: string
  placeId: string
  version: number
  externalId: string
  /** Null: the record did not exist before this version. */
  row: JsonOrNull<Record<string, unknown>>
  createdAt: Time
}
