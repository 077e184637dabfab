import * as v from 'valibot'
import type { BlockKind } from './block/index.ts'
import { describeIssue, type Issue } from './issue.ts'
import { Id, Version, WebAddress, listOptions } from './options.ts'
import { Time } from './returns.ts'

/** The position of a content on a dashboard, in columns and rows of its grid. */
const grid = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)))
const place = { x: grid, y: grid, w: grid, h: grid }
const caption = v.optional(v.pipe(v.string(), v.maxLength(1000)))
const Picture = v.pipe(
  v.string(),
  v.maxLength(2000),
  v.regex(/^(https?:\/\/|\/(?!\/))[^\s]*$/i, 'Must be an address.'),
)

/** The settings of each kind of content. HTML of texts is sanitised on save. */
export const contentSettings = {
  text: v.strictObject({
    html: v.pipe(v.string(), v.maxLength(200_000)),
    /** In a story: a step shown beside the figure above it, which stays in view. */
    beside: v.optional(v.boolean()),
    ...place,
  }),
  insight: v.strictObject({ insightId: Id, caption, ...place }),
  image: v.strictObject({
    url: Picture,
    alt: v.optional(v.pipe(v.string(), v.maxLength(1000))),
    caption,
    ...place,
  }),
  video: v.strictObject({ url: WebAddress, caption, ...place }),
  map: v.strictObject({ insightId: v.optional(Id), sourceId: v.optional(Id), caption, ...place }),
  embed: v.strictObject({ url: WebAddress, caption, height: grid, ...place }),
  divider: v.strictObject({ ...place }),
} satisfies Record<BlockKind, v.GenericSchema>

export type ContentKind = BlockKind
export const contentKinds = Object.keys(contentSettings) as ContentKind[]

const settingsRecord = v.record(v.string(), v.unknown())
const position = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)))

/** A new content of a page. Without a position it comes last. */
export const NewContent = v.strictObject({
  id: v.optional(Id),
  pageId: v.optional(Id),
  kind: v.picklist(contentKinds),
  settings: settingsRecord,
  position,
})
export type NewContent = v.InferOutput<typeof NewContent>

export const ContentChanges = v.strictObject({
  settings: v.optional(settingsRecord),
  position,
  version: v.optional(Version),
})
export type ContentChanges = v.InferOutput<typeof ContentChanges>

export const ContentOptions = listOptions({ id: 'text', pageId: 'text', kind: 'text', createdAt: 'date' })

/** The issues of the settings of a kind, with paths under `settings`. */
export function contentIssues(kind: ContentKind, settings: unknown): Issue[] {
  const answer = v.safeParse(contentSettings[kind] as v.GenericSchema, settings)
  if (answer.success) return []
  return answer.issues.map((issue) => ({
    path: ['settings', ...(issue.path?.map((part) => part.key as string | number) ?? [])],
    message: describeIssue(issue),
  }))
}

/** A content of a page. `settings` depends on `kind`. */
export const ContentRow = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  pageId: v.string(),
  kind: v.picklist(contentKinds),
  settings: settingsRecord,
  position: v.number(),
  version: v.number(),
  createdAt: Time,
  updatedAt: Time,
})
