import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ColumnReadings } from '#functions/shapes/importer-columns.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'
import type { JobCounts, JobPreview } from '#functions/shapes/job.ts'
import type { RecordCounts } from '#functions/shapes/activity.ts'
import type { Channel, Condition } from '#functions/shapes/observer.ts'
import type { Json, JsonOrNull, RowColumns, Time, TimeOrNull } from './schema-columns.ts'

/** The tables of the work behind the screens: invitations, files, importers, observers, queues. */

/** An invitation to a place. The token is only in the email; expired once `expiresAt` has passed. */
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

/** An audit log entry that a place has hidden; the entry itself remains. */
export interface ActivityHiddenTable {
  activityId: string
  placeId: string
  hiddenBy: string | null
  hiddenAt: Time
}

/** The stored response of a request with an idempotency key. `status` null: it is still in progress. */
export interface IdempotencyTable {
  /** SHA-256 of actor, operation and the client's key. */
  key: string
  /** User id. */
  actor: string
  requestHash: string
  status: number | null
  body: string | null
  createdAt: Time
}

/** A feature flag of the whole product. */
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

/** A file in R2 under `key`. 'waiting': its upload URL was issued, its bytes have not arrived yet. */
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
  /** SHA-256 of the bytes, hex; null until they are uploaded. */
  hash: string | null
  /** Pixels; null for anything but images. */
  width: number | null
  height: number | null
  alt: Generated<string>
  /** The focal point of an image, from 0 (left, top) to 1. */
  focalX: Generated<number>
  focalY: Generated<number>
  /** The deadline of the upload; null once it is complete. */
  expiresAt: TimeOrNull
  /** For a deleted file: when its bytes were deleted; null: they may still exist. */
  bytesGoneAt: TimeOrNull
  /** Since when its bytes are known to be missing; null: they are not. */
  missingAt: TimeOrNull
}

/** The progress of comparing the objects of a bucket with their rows, by key prefix. */
export interface StorageCheckTable {
  part: string
  /** The last name that was checked; '' at the beginning. */
  cursor: Generated<string>
  /** Findings since the beginning of this pass. */
  counts: ColumnType<Record<string, number>, string | undefined, string>
  /** Findings of the last complete pass; null: none yet. */
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
  /** Encrypted; never returned. */
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
  /** Attempts since the last progress. */
  attempts: Generated<number>
  /** When it may be claimed again. */
  dueAt: Time
  /** A copy of the importer from when the run began; null: it has not. */
  plan: JsonOrNull<Record<string, unknown>>
  /** Imports rows, reports what that would change, or rolls back another run. */
  kind: Generated<'run' | 'dryRun' | 'rollback'>
  /** For a roll back: the run that it reverts; else null. */
  undoes: string | null
  /** The data version that it created; null: none yet, or it changed nothing. */
  dataVersion: number | null
  /** Of a dry run: the version of the source's data that it was compared with. */
  comparedWith: number | null
  /** For a dry run: until when it can be committed; null: it cannot. */
  heldUntil: TimeOrNull
  /** 1 or 2: the slot of a running one in its place; null: it is not running. */
  slot: number | null
  /** When it was last claimed; null: never. */
  claimedAt: TimeOrNull
  preview: JsonOrNull<JobPreview>
  /** The roll back that reverted it; null: none. */
  undoneBy: string | null
}

/** A page that a run has fetched. */
export interface ImportObjectTable {
  jobId: string
  placeId: string
  n: number
  /** The index of the importer's source, from 0. */
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
  /** Ids of records in rejected rows, which must not be deleted. */
  named: string[]
  /** Numbers of good rows that are not to be stored after all. */
  dropped: string[]
}

/** An issue of a row of a run: the first 1,000; all of them are in the bucket. */
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
  /**
   * The URL of the page it was read from, with secrets masked; null: found when the rows were compared with
   * the source.
   */
  url: string | null
  /** The row was imported without this value. */
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
  /** When it is due; null: when its data changes. */
  dueAt: TimeOrNull
  /** The lease of its current observation. */
  leaseUntil: TimeOrNull
  /** The fencing token: holders of an older one cannot write. */
  fence: Generated<number>
  /** The last observed state by source; null: never observed. */
  seen: JsonOrNull<Record<string, SeenSource>>
  /** The last value of the aggregation; for `change` the one last notified. */
  lastValue: JsonOrNull<unknown>
  /** Whether the current crossing was notified. */
  isTold: Generated<boolean>
  lastAlertAt: TimeOrNull
  /** Consecutive failed observations. */
  failures: Generated<number>
  /** The error of the last one; null: it succeeded. */
  error: string | null
}

/** The last observed state of a source: its data version, and its newest record ('0': none). */
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
  /** The fence of the observation that created it. */
  fence: number | null
}

/** A webhook that is to be called for an alert. */
export interface DeliveryTable {
  id: string
  alertId: string
  observerId: string
  placeId: string
  /** dead: given up, or obsolete. */
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

/** The kind of an email. A notice has no token. */
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

/** Kinds whose token is stored when it is sent, because it grants something. The others have none, or a signed one. */
export type TokenKind = Exclude<MailKind, 'notice' | 'alert' | 'errorReports' | 'lateData'>

/** A queued email, or its outcome. */
export interface MailTable {
  id: string
  to: string
  kind: Generated<MailKind>
  /** The person or thing that its token is for, which is created on sending. */
  subjectId: string | null
  /** When the token expires, where that is not relative to sending. */
  until: TimeOrNull
  subject: string
  /** With a placeholder for the token. Emptied once it is sent, given up or replaced; so is `html`. */
  text: string
  html: string
  createdAt: Time
  attempts: Generated<number>
  /** The last attempt to send it. */
  triedAt: TimeOrNull
  sentAt: TimeOrNull
  /** Null: queued. 'replaced': by a newer one; 'obsolete': its subject was settled. */
  outcome: 'sent' | 'failed' | 'replaced' | 'obsolete' | null
  /** Headers besides recipient and subject. */
  headers: JsonOrNull<Record<string, string>>
}

/** The hashes of tokens that were sent by email: the tokens themselves are not stored. */
export interface EmailTokenTable {
  /** SHA-256, hex. */
  tokenHash: string
  /** The email it was created for; null: from before emails were recorded. */
  mailId: string | null
  kind: TokenKind
  /** The id of a person or an invitation. */
  subjectId: string
  createdAt: Time
  expiresAt: Time
}

/** Events to be handled: written in the transaction that caused them, handled afterwards, retried by cron. */
export interface OutboxTable {
  id: GeneratedAlways<string>
  kind: string
  placeId: string | null
  payload: Json<Record<string, unknown>>
  createdAt: Time
  sentAt: TimeOrNull
  doneAt: TimeOrNull
  /** When observers handled it; only events of kind 'data' are. */
  noticedAt: TimeOrNull
  /** When it was written to the edge. */
  toldAt: TimeOrNull
  /** When the files of sources were requested because of it; only for kinds 'data', 'source' and 'dataType'. */
  preparedAt: TimeOrNull
  /** Failed attempts to render the pages. Retried without end. */
  attempts: Generated<number>
  /** The last error, in a sentence for the people of the place. */
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
  /** The person an account entry is about, who may read it. Null: an entry of a place, or of the product. */
  personId: string | null
  /** A part of the IP address that an account entry came from. */
  ipPrefix: string | null
  /** For writes of records: the numbers of created, updated and deleted ones. */
  counts: JsonOrNull<RecordCounts>
}
