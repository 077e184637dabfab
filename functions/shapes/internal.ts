import * as v from 'valibot'
import { buildListShape } from './returns.ts'

/** A fact for the operator. Times are ISO text; null: none. */
export const Fact = v.strictObject({
  id: v.string(),
  value: v.nullable(v.union([v.string(), v.number(), v.boolean()])),
})
export type Fact = v.InferOutput<typeof Fact>
export const Facts = buildListShape(Fact)

export const Origins = buildListShape(
  v.strictObject({
    id: v.string(),
    /** Whether browsers may send the session's cookie from there. */
    withCredentials: v.boolean(),
  }),
)

/** The effect of an operator's action, what is left for another call, and its start token. */
export const Acted = v.strictObject({
  ok: v.literal(true),
  affected: v.number(),
  left: v.number(),
  next: v.optional(v.string()),
})
export type Acted = v.InferOutput<typeof Acted>

/** `after`: the `next` of the previous call. */
export const Refresh = v.optional(
  v.strictObject({
    after: v.optional(
      v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,63}(\/[\w-]{1,64})?$/, 'Must be the "next" of an answer.')),
    ),
  }),
)
export type Refresh = v.InferOutput<typeof Refresh>

/** How far hubs are updated to the running build; `builds`: the number of hubs with pages of each build. */
export const Builds = v.strictObject({
  /** Null: the running code was not built. */
  build: v.nullable(v.string()),
  /** Which of its files are stored with the hubs: none, those referenced by hub pages, or all. */
  kept: v.picklist(['none', 'pages', 'all']),
  /** Published hubs, and those with all pages of this build. */
  total: v.number(),
  done: v.number(),
  /** Places whose hubs are being rendered. */
  making: v.array(v.string()),
  failed: v.array(
    v.strictObject({
      /** Of the place. */
      id: v.string(),
      attempts: v.number(),
      /** The next retry; null: it is continued now. */
      nextAt: v.nullable(v.string()),
      /** Paths that stay unchanged; '' is the hub itself. */
      pages: v.array(v.string()),
      message: v.string(),
    }),
  ),
  /** `id`: the build, several joined with "+"; '' for pages without one. */
  builds: v.array(v.strictObject({ id: v.string(), hubs: v.number() })),
})
export type Builds = v.InferOutput<typeof Builds>
