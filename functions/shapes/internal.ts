import * as v from 'valibot'
import { listOf } from './returns.ts'

/** One thing an operator wants to know. Times are ISO text; null: there is none. */
export const Fact = v.strictObject({
  id: v.string(),
  value: v.nullable(v.union([v.string(), v.number(), v.boolean()])),
})
export type Fact = v.InferOutput<typeof Fact>
export const Facts = listOf(Fact)

export const Origins = listOf(
  v.strictObject({
    id: v.string(),
    /** Whether a browser there may send its session's cookie. */
    withCredentials: v.boolean(),
  }),
)

/** What an operator's action did, how much of it is left for another call, and where that one begins. */
export const Acted = v.strictObject({
  ok: v.literal(true),
  affected: v.number(),
  left: v.number(),
  next: v.optional(v.string()),
})
export type Acted = v.InferOutput<typeof Acted>

/** `after`: the `next` of the call before. */
export const Refresh = v.optional(
  v.strictObject({
    after: v.optional(
      v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,63}(\/[\w-]{1,64})?$/, 'Must be the "next" of an answer.')),
    ),
  }),
)
export type Refresh = v.InferOutput<typeof Refresh>

/** How far hubs are with the build of the product that runs; `builds`: how many hubs have pages of which. */
export const Builds = v.strictObject({
  /** Null: the code that runs was not built. */
  build: v.nullable(v.string()),
  /** Of its files lie beside the hubs: none, those that hub pages name, or all. */
  kept: v.picklist(['none', 'pages', 'all']),
  /** Hubs that are served, and those of them all of whose pages are of this build. */
  total: v.number(),
  done: v.number(),
  /** Places whose hubs are being made now. */
  making: v.array(v.string()),
  failed: v.array(
    v.strictObject({
      /** The place's. */
      id: v.string(),
      attempts: v.number(),
      /** When it is tried again; null: it is gone on with now. */
      nextAt: v.nullable(v.string()),
      /** Paths that stay as they are; '' is the hub itself. */
      pages: v.array(v.string()),
      message: v.string(),
    }),
  ),
  /** `id`: the version, several with "+" between; empty for pages that do not say. */
  builds: v.array(v.strictObject({ id: v.string(), hubs: v.number() })),
})
export type Builds = v.InferOutput<typeof Builds>
