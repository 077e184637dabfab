import * as v from 'valibot'
import { Id, Name, Notes, Slug, Version, listOptions } from './options.ts'
import { request } from './question.ts'
import { Time, TimeOrNull } from './returns.ts'

export const comparisons = ['gt', 'gte', 'lt', 'lte', 'eq'] as const

/** An aggregate value, validated by the query language. */
const aggregation = v.unknown()

/** When an observer creates an alert: when an aggregation compares to a number, when it changes, or for each new record. */
export const Condition = v.variant(
  'operator',
  [
    v.strictObject({ operator: v.picklist(comparisons), aggregation, value: v.pipe(v.number(), v.finite()) }),
    v.strictObject({ operator: v.literal('change'), aggregation }),
    v.strictObject({ operator: v.literal('each') }),
  ],
  `Must be one of: ${[...comparisons, 'change', 'each'].join(', ')}`,
)
export type Condition = v.InferOutput<typeof Condition>

export const channels = ['email', 'webhook'] as const
export type Channel = (typeof channels)[number]

const isoDuration = /^P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?)$/
const different = <Item>(items: Item[]) => new Set(items).size === items.length

const settings = {
  name: Name,
  notes: v.optional(Notes),
  /** One source of the data type; null: all of the place. */
  sourceId: v.optional(v.nullable(Id)),
  filters: request.filters,
  condition: Condition,
  /** Cron in the time zone of the place, or after each change of the data. */
  schedule: v.optional(
    v.union(
      [v.literal('onData'), v.pipe(v.string(), v.trim(), v.maxLength(100))],
      'Must be onData, or cron such as 0 6 * * 1-5.',
    ),
  ),
  /** The minimum time between two alerts; null: none. */
  cooldown: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.maxLength(50),
        v.regex(isoDuration, 'Must be an ISO 8601 duration, such as PT1H.'),
      ),
    ),
  ),
  channels: v.optional(
    v.pipe(v.array(v.picklist(channels)), v.check(different, 'Must not name a channel twice.')),
  ),
  /** Members of the place, by user id. */
  recipients: v.optional(
    v.pipe(v.array(Id), v.maxLength(50), v.check(different, 'Must not name a person twice.')),
  ),
  webhookUrl: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(2000)))),
  enabled: v.optional(v.boolean()),
}

/** A new observer: what it watches, its condition, and its recipients. */
export const NewObserver = v.strictObject({
  ...settings,
  id: v.optional(Id),
  dataTypeId: Slug,
})
export type NewObserver = v.InferOutput<typeof NewObserver>

/** Its data type cannot be changed. */
export const ObserverChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type ObserverChanges = v.InferOutput<typeof ObserverChanges>

/** Observers are visible to members of the place only: they have no visibility setting. */
export const ObserverOptions = v.omit(
  listOptions({
    id: 'text',
    name: 'text',
    dataTypeId: 'text',
    sourceId: 'text',
    enabled: 'boolean',
    schedule: 'text',
    createdAt: 'date',
    updatedAt: 'date',
  }),
  ['maxVisibility', 'visibility'],
)
export type ObserverOptions = v.InferOutput<typeof ObserverOptions>

const row = {
  id: v.string(),
  placeId: v.string(),
  dataTypeId: v.string(),
  sourceId: v.nullable(v.string()),
  name: v.string(),
  notes: v.string(),
  filters: v.unknown(),
  condition: v.looseObject({ operator: v.string() }),
  schedule: v.string(),
  cooldown: v.nullable(v.string()),
  channels: v.array(v.picklist(channels)),
  recipients: v.array(v.string()),
  /** Only the origin without permission to change the observer, as such a URL often contains a key. */
  webhookUrl: v.nullable(v.string()),
  enabled: v.boolean(),
  /** Whether the condition held at the last evaluation; `evaluatedAt` null: never evaluated. */
  isCrossed: v.boolean(),
  evaluatedAt: TimeOrNull,
  /** The last result of the aggregation; for `change` the last reported value. */
  lastValue: v.unknown(),
  lastAlertAt: TimeOrNull,
  /** The next evaluation; null: when its data change. */
  dueAt: TimeOrNull,
  /** The error of the last evaluation; null without one. */
  error: v.nullable(v.string()),
  /** The actor's number of unread alerts. */
  unreadCount: v.number(),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
}

export const ObserverRow = v.strictObject(row)
/** A new observer, with the signing secret of its webhooks, which is shown once. */
export const MadeObserver = v.strictObject({ ...row, secret: v.string() })

/** The parameters of an unsubscribe link. */
export const StopOptions = v.strictObject({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)) })
export type StopOptions = v.InferOutput<typeof StopOptions>

/** The subscription of an unsubscribe link, and whether emails are still sent. */
export const Subscription = v.strictObject({
  observerId: v.string(),
  name: v.string(),
  isRecipient: v.boolean(),
})

/** The actor's numbers of unread alerts by observer; zeros are omitted. */
export const Unread = v.strictObject({ total: v.number(), byObserver: v.record(v.string(), v.number()) })
