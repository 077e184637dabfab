import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ColumnReadings } from '#functions/shapes/importerColumns.ts'
import type { Mapping } from '#functions/shapes/importerMapping.ts'
import type { ImporterSource } from '#functions/shapes/importerSource.ts'
import type { JobCounts, JobPreview } from '#functions/shapes/job.ts'
import type { RecordCounts } from '#functions/shapes/activity.ts'
import type { Channel, Condition } from '#functions/shapes/observer.ts'
import type { Json, JsonOrNull, RowColumns, Time, TimeOrNull } from './schemaColumns.ts'

/** The tables of what people work with behind the screens: invitations, files, importers, observers, counts. */

/** An invitation into a place. The token is only in the letter; expired once `expiresAt` is past. */
export interface InviteTable {
  id: string
  placeId: string
  email: string
  role: string
  /** 'pending' with an `expiresAt` that has passed has expired as well. */
  status: Generated<'pending' | 'accepted' | 'expired' | 'revoked'>
  invitedBy: string | null
  sentAt: Time
  expiresAt: Time
  acceptedAt: TimeOrNull
  acceptedBy: string | null
  createdAt: Time
  updatedAt: Time
}

/** A line of the trail that a place has put away; the line itself stays. */
export interface ActivityHiddenTable {
  activityId: string
  placeId: string
  hiddenBy: string | null
  hiddenAt: Time
}

/** What a request with an idempotency key was answered. `status` null: it is still being done. */
export interface IdempotencyTable {
  /** SHA-256 of actor, operation and the key that was sent. */
  key: string
  /** User id. */
  actor: string
  requestHash: string
  status: number | null
  body: string | null
  createdAt: Time
}

/** A switch of the whole product. */
export interface FlagTable {
  name: string
  isOn: boolean
  updatedBy: string | null
  updatedAt: Time
}

/** A folder of a place's library, or of a person's own; exactly one of `placeId` and `userId` is set. */
export interface AssetFolderTable extends RowColumns {
  id: string
  placeId: string | null
  userId: string | null
  parentId: string | null
  name: string
}

/** A file in R2 under `key`. 'waiting': its address was given out, its bytes have not come yet. */
export interface AssetTable extends RowColumns {
  id: string
  placeId: string | null
  userId: string | null
  folderId: string | null
  purpose: Generated<'library' | 'place' | 'source'>
  sourceId: string | null
  name: string
  type: string
  /** Bytes. */
  size: Generated<number>
  key: string
  state: Generated<'waiting' | 'ready'>
  /** SHA-256 of the bytes, hex; null until they have come. */
  hash: string | null
  /** Pixels; null for what is no image. */
  width: number | null
  height: number | null
  alt: Generated<string>
  /** Where the subject of an image is, from 0 (left, top) to 1. */
  focalX: Generated<number>
  focalY: Generated<number>
  /** Until when the bytes may come; null once they have. */
  expiresAt: TimeOrNull
  /** Of a deleted file: when its bytes went; null: they may still be there. */
  bytesGoneAt: TimeOrNull
  /** Since when its bytes are known to be missing; null: they are there as far as anyone knows. */
  missingAt: TimeOrNull
}

/** How far the objects of a bucket, by the beginning of their names, are held against the rows that are to have them. */
export interface StorageCheckTable {
  part: string
  /** The last name that was looked at; '' at the beginning. */
  cursor: Generated<string>
  /** What was found since the beginning of this pass. */
  counts: ColumnType<Record<string, number>, string | undefined, string>
  /** What the last pass found that came to its end; null: none did yet. */
  last: JsonOrNull<Record<string, number>>
  endedAt: TimeOrNull
}

/** A short address for a path of a place's hub, or of the workspace. */
export interface ShortLinkTable {
  code: string
  placeId: string
  path: string
  onHub: boolean
  createdBy: string | null
  createdAt: Time
}

export interface ImporterTable extends RowColumns {
  id: string
  sourceId: string
  placeId: string
  name: string
  enabled: Generated<boolean>
  sources: Json<ImporterSource[]>
  /** Encrypted; never given out. */
  secrets: string | null
  mapping: Json<Mapping>
  /** How columns are read, by their paths. */
  columns: ColumnType<ColumnReadings, string | undefined, string>
  mode: Generated<'append' | 'upsert' | 'replace'>
  /** Cron expression in the place's time zone; null: by hand only. */
  schedule: string | null
  timeoutSeconds: Generated<number>
  retries: Generated<number>
  notifyOnFailure: Generated<boolean>
  /** Scheduled runs that failed in a row. */
  failures: Generated<number>
  nextRunAt: TimeOrNull
}

export type JobStatus =
  | 'queued'
  | 'running'
  | 'stopping'
  | 'waiting'
  | 'succeeded'
  | 'failed'
  | 'stopped'
  | 'timedOut'

export interface JobTable {
  id: string
  importerId: string
  sourceId: string
  placeId: string
  status: Generated<JobStatus>
  trigger: 'manual' | 'schedule' | 'api'
  queuedAt: Time
  startedAt: TimeOrNull
  finishedAt: TimeOrNull
  heartbeatAt: TimeOrNull
  leaseUntil: TimeOrNull
  fence: Generated<number>
  counts: ColumnType<JobCounts, string | undefined, string>
  error: string | null
  cursor: JsonOrNull<Record<string, unknown>>
  createdBy: string | null
  /** Times it was taken up without getting on since. */
  attempts: Generated<number>
  /** When it may be taken up again. */
  dueAt: Time
  /** The importer as it was when the run began; null: it has not. */
  plan: JsonOrNull<Record<string, unknown>>
  /** For bringing rows in, for only saying what that would do, or for taking back what another run did. */
  kind: Generated<'run' | 'dryRun' | 'rollback'>
  /** Of a roll back: the run that it takes back; else null. */
  undoes: string | null
  /** The version of the source's data that it made; null: none yet, or it changed nothing. */
  dataVersion: number | null
  /** Of a dry run: the version of the source's data that it was compared with. */
  comparedWith: number | null
  /** Of a dry run: until when what it read can be committed; null: it cannot. */
  heldUntil: TimeOrNull
  /** 1 or 2: which of the runs of its place that go on at once; null: none of them. */
  slot: number | null
  /** When it was last taken up; null: never. */
  claimedAt: TimeOrNull
  preview: JsonOrNull<JobPreview>
  /** The roll back that took it back; null: none did. */
  undoneBy: string | null
}

/** A page that a run has fetched. */
export interface ImportObjectTable {
  jobId: string
  placeId: string
  n: number
  /** Which of the importer's sources it is a page of, from 0. */
  source: number
  key: string
  /** Bytes. */
  size: string
  /** As it may be shown: secrets are masked. */
  url: string
  contentType: string | null
}

/** A batch of rows of a run that is not committed yet. */
export interface ImportBatchTable {
  jobId: string
  placeId: string
  /** The number of its first row over all that the run reads, from 1. */
  first: string
  /** Numbers of its good rows, and ids of their records, in the order of the rows. */
  seqs: string[]
  ids: string[]
  /** The good rows as JSON: a list of [number, id, record]. */
  rows: string
  /** Ids of records that refused rows say exist. */
  named: string[]
  /** Numbers of good rows that are not to be stored after all. */
  dropped: string[]
}

/** What was wrong with a row of a run: the first 1,000 such things; all are in the bucket. */
export interface ImportRejectTable {
  jobId: string
  placeId: string
  n: number
  row: string
  line: string | null
  entry: string | null
  sheet: string | null
  field: string | null
  message: string
  value: string | null
  /** Of the page it was read from, as it may be shown; null: it was found when all was compared with the source. */
  url: string | null
  /** The row came in all the same, without this value. */
  isTaken: Generated<boolean>
}

export interface JobLogTable {
  id: GeneratedAlways<string>
  jobId: string
  placeId: string
  at: Time
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  /** Number of the row in the file, from 1; null: about no row. */
  row: string | null
  url: string | null
  data: JsonOrNull<Record<string, unknown>>
}

export interface ObserverTable extends RowColumns {
  id: string
  placeId: string
  dataTypeId: string
  /** Null: watches all sources of the data type that the place has. */
  sourceId: string | null
  name: string
  notes: Generated<string>
  filters: JsonOrNull<Record<string, unknown>>
  condition: Json<Condition>
  /** Cron expression, or 'onData'. */
  schedule: Generated<string>
  /** ISO 8601 duration; null: none. */
  cooldown: string | null
  channels: Json<Channel[]>
  recipients: Json<string[]>
  webhookUrl: string | null
  /** Encrypted; shown once. */
  secret: string | null
  enabled: Generated<boolean>
  /** Whether the condition held when it was last evaluated. */
  isCrossed: Generated<boolean>
  evaluatedAt: TimeOrNull
  /** When it is to be looked at; null: when its data changes. */
  dueAt: TimeOrNull
  /** Someone looks at it until then. */
  leaseUntil: TimeOrNull
  /** Who holds an older one can change nothing. */
  fence: Generated<number>
  /** By source what was last looked at; null: never yet. */
  seen: JsonOrNull<Record<string, SeenSource>>
  /** What the aggregation last gave; of `change` the value that was last told. */
  lastValue: JsonOrNull<unknown>
  /** Whether the crossing that holds now was told. */
  isTold: Generated<boolean>
  lastAlertAt: TimeOrNull
  /** Looks that failed in a row. */
  failures: Generated<number>
  /** Why the last one did; null: it did not. */
  error: string | null
}

/** A source as an observer last saw it: its data version, and its newest record then ('0': none). */
interface SeenSource {
  version: number
  last: string
}

export interface AlertTable {
  id: string
  observerId: string
  placeId: string
  kind: Generated<'alert' | 'recovery'>
  title: string
  value: number | null
  threshold: number | null
  /** At most 100. */
  datumIds: Json<string[]>
  createdAt: Time
  deletedAt: TimeOrNull
  /** The look that gave it. */
  fence: number | null
}

/** A webhook that is to be called for an alert. */
export interface DeliveryTable {
  id: string
  alertId: string
  observerId: string
  placeId: string
  /** dead: given up, or no longer wanted. */
  status: Generated<'waiting' | 'delivered' | 'dead'>
  attempts: Generated<number>
  dueAt: Time
  /** The status that the server last answered; null: it did not. */
  answered: number | null
  error: string | null
  createdAt: Time
  endedAt: TimeOrNull
}

export interface AlertReadTable {
  alertId: string
  userId: string
  readAt: Time
}

/** What an email is for. A notice has no token. */
export type MailKind =
  | 'notice'
  | 'confirmation'
  | 'reset'
  | 'device'
  | 'newEmail'
  | 'undoEmail'
  | 'invite'
  | 'alert'
  | 'errorReports'
  | 'lateData'

/** Those whose token is made of a row of its own when they are sent: it opens something. The others have none, or one that is signed. */
export type TokenKind = Exclude<MailKind, 'notice' | 'alert' | 'errorReports' | 'lateData'>

/** An email that waits to be sent, or how it ended. */
export interface MailTable {
  id: string
  to: string
  kind: Generated<MailKind>
  /** Whose or of what its token is, which is made when it is sent. */
  subjectId: string | null
  /** When what the token opens ends, where that does not count from sending. */
  until: TimeOrNull
  subject: string
  /** With a mark where the token comes. Empty once it is sent, given up or replaced; so is `html`. */
  text: string
  html: string
  createdAt: Time
  attempts: Generated<number>
  /** The last attempt to send it. */
  triedAt: TimeOrNull
  sentAt: TimeOrNull
  /** Null: it waits. 'replaced': by a newer one; 'obsolete': there was nothing left to send it for. */
  outcome: 'sent' | 'failed' | 'replaced' | 'obsolete' | null
  /** Beside to and subject. */
  headers: JsonOrNull<Record<string, string>>
}

/** Tokens that were sent by email, by their hash: the tokens themselves are nowhere. */
export interface EmailTokenTable {
  /** SHA-256, hex. */
  tokenHash: string
  /** The email it was made for; null: made before emails were noted. */
  mailId: string | null
  kind: TokenKind
  /** The id of a person or an invitation. */
  subjectId: string
  createdAt: Time
  expiresAt: Time
}

/** What has happened and must be told: written in the transaction that did it, sent after, swept by cron. */
export interface OutboxTable {
  id: GeneratedAlways<string>
  kind: string
  placeId: string | null
  payload: Json<Record<string, unknown>>
  createdAt: Time
  sentAt: TimeOrNull
  doneAt: TimeOrNull
  /** When observers were told of it; only events of kind 'data' are. */
  noticedAt: TimeOrNull
  /** When the edge was told of it. */
  toldAt: TimeOrNull
  /** When the files of sources were asked for because of it; only events of kind 'data', 'source' and 'dataType' are. */
  preparedAt: TimeOrNull
  /** How often the pages could not be made. It is never given up. */
  attempts: Generated<number>
  /** Why the last time, in words for the people of the place. */
  lastError: string | null
}

export interface ActivityTable {
  id: string
  placeId: string | null
  actorId: string | null
  verb: string
  targetType: string
  targetId: string
  targetName: Generated<string>
  at: Time
  /** Whose line it is, where it is about an account: theirs to read. Null: a line of a place, or of the product. */
  personId: string | null
  /** A part of the address that a line about an account came from. */
  ipPrefix: string | null
  /** Of a write of records: how many were created, updated and removed. */
  counts: JsonOrNull<RecordCounts>
}
