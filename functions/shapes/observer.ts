import * as v from 'valibot'
import { Id, Name, Notes, Slug, Version, listOptions } from './options.ts'
import { request } from './question.ts'
import { Time, TimeOrNull } from './returns.ts'

export const comparisons = ['gt', 'gte', 'lt', 'lte', 'eq'] as const

/** A value of the query language that aggregates; the language itself checks it. */
const aggregation = v.unknown()

/**
 * When an observer gives an alert: when an aggregation of what it watches compares so with a number, when it changes,
 * or for each new record.
 */
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
  /** One source of the data type; null: all that the place has. */
  sourceId: v.optional(v.nullable(Id)),
  filters: request.filters,
  condition: Condition,
  /** Cron in the time of the place, or after each change of the data. */
  schedule: v.optional(v.union([v.literal('onData'), v.pipe(v.string(), v.trim(), v.maxLength(100))])),
  /** The shortest time between two alerts; null: none. */
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
  /** People of the place, by user id. */
  recipients: v.optional(
    v.pipe(v.array(Id), v.maxLength(50), v.check(different, 'Must not name a person twice.')),
  ),
  webhookUrl: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(2000)))),
  enabled: v.optional(v.boolean()),
}

/** A new observer: what it watches, when it speaks up, and to whom. */
export const NewObserver = v.strictObject({
  ...settings,
  id: v.optional(Id),
  dataTypeId: Slug,
})
export type NewObserver = v.InferOutput<typeof NewObserver>

/** Its data type stays. */
export const ObserverChanges = v.strictObject({
  ...v.partial(v.object(settings)).entries,
  version: v.optional(Version),
})
export type ObserverChanges = v.InferOutput<typeof ObserverChanges>

/** Observers are for the people of a place: they have no visibility of their own. */
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
  /** To those who may not change the observer only its origin: such an address is often a key by itself. */
  webhookUrl: v.nullable(v.string()),
  enabled: v.boolean(),
  /** Whether the condition held when it was last looked at; `evaluatedAt` null: never yet. */
  isCrossed: v.boolean(),
  evaluatedAt: TimeOrNull,
  /** What the aggregation last gave; of `change` the value that was last told. */
  lastValue: v.unknown(),
  lastAlertAt: TimeOrNull,
  /** When it is looked at next; null: when its data changes. */
  dueAt: TimeOrNull,
  /** Why it could not be looked at the last time; null: it could. */
  error: v.nullable(v.string()),
  /** Alerts that the asker has not read. */
  unreadCount: v.number(),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
}

export const ObserverRow = v.strictObject(row)
/** A new one, with what its webhooks are signed with: shown this once. */
export const MadeObserver = v.strictObject({ ...row, secret: v.string() })

/** The link of a letter. */
export const StopOptions = v.strictObject({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)) })
export type StopOptions = v.InferOutput<typeof StopOptions>

/** What the link of a letter is about, and whether its holder still gets such letters. */
export const Subscription = v.strictObject({
  observerId: v.string(),
  name: v.string(),
  isRecipient: v.boolean(),
})

/** Alerts that the asker has not read, by observer; those without any are left out. */
export const Unread = v.strictObject({ total: v.number(), byObserver: v.record(v.string(), v.number()) })
