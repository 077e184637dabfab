import type { ReadOnly } from './read-only.ts'
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { Context } from '#functions/context.ts'
import type { Download } from '#functions/shapes/download.ts'

/** What an endpoint's function is given: checked options and data, and the place that permission was checked for. */
export interface Input<Options = unknown, Data = unknown> {
  params: Record<string, string>
  options: Options
  data: Data
  /** The place the request is about; null where there is none. Never read a place from `data`: this one was checked. */
  placeId: string | null
}

/** The definition of an endpoint of `/v1`. Path, method and status follow from its name in the tree. */
export interface Endpoint<Result = unknown, Options = never, Data = never> {
  readonly allow: OperationName
  /** Shape of the query string; an endpoint without one takes no option. */
  readonly options?: GenericSchema
  /** Shape of the JSON body; an endpoint without one reads none. */
  readonly data?: GenericSchema
  readonly returns?: GenericSchema
  /** Read-only members that a body may hold if they equal the stored values. */
  readonly readOnly?: ReadOnly
  /** The documented shape of `data` for the reference, where `data` itself accepts anything. */
  readonly like?: GenericSchema
  /** Heeds `If-Match` though it is no update: refuses where there is a newer version than that. */
  readonly versioned?: boolean
  /** The content types of an answer that is a `Download`. */
  readonly media?: readonly string[]
  /** Only for names that are not one of the six verbs. Default: POST on the collection. `one`: on the instance. */
  readonly http?: { method: 'get' | 'post' | 'patch' | 'delete'; one?: boolean }
  /** Cache-Control for anonymous answers; else `private, no-cache`. */
  readonly cache?: string
  /** The answer is a `Download` in a format of its own: `Accept` is then the endpoint's affair. */
  readonly stream?: boolean
  /** Expensive: has its own rate limit. */
  readonly heavy?: boolean
  /** The body may be `multipart/form-data` as well: `data` is then `{ file: File, ...fields }`. */
  readonly multipart?: boolean
  /** Statuses of success beside the verb's own; the function chooses one by `ctx.responded`. */
  readonly statuses?: readonly number[]
  /** The answer holds a secret that is shown once, so it is not stored for an idempotent repetition. */
  readonly shownOnce?: boolean
  /**
   * Requests by a session need a re-authentication at most ten minutes old. A function: only for such data.
   */
  readonly stepUp?: true | ((data: Data) => boolean)
  /** A sentence for the reference; else the name's words. */
  readonly summary?: string
  /** Left out of the API map. */
  readonly hidden?: boolean
  run(ctx: Context, input: Input<Options, Data>): Promise<Result | undefined>
}

export interface Tree {
  readonly [name: string]: Endpoint | Tree
}

type Out<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined
type OutOptions<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : Record<string, never>

/** The input of callers before validation; only a type. */
export interface Sent<Options = unknown, Data = unknown> {
  readonly sent?: { options: Options; data: Data }
}
type In<Schema> = Schema extends GenericSchema ? InferInput<Schema> : undefined

/** What an endpoint gives once it has not failed. */
export type ResultOf<E extends Endpoint> = E extends { run(...input: never[]): Promise<infer Result> }
  ? Exclude<Result, undefined>
  : never

/**
 * What `run` may give where an answer of the type `Declared` is declared: JSON makes text of a Date and leaves out what is undefined.
 * An object that is declared to have any members may be an interface too.
 */
type Given<Declared> = Declared extends Date
  ? Date | string
  : Declared extends string
    ? string extends Declared
      ? Declared | Date
      : Declared
    : Declared extends object
      ? string extends keyof Declared
        ? GivenLoose<Declared>
        : { readonly [Name in keyof Declared]: Given<Declared[Name]> }
      : Declared

/** Of a type with an index signature: what is said of the members that it names, and of all others. */
type GivenLoose<Declared> = unknown extends Declared[keyof Declared]
  ? {
      readonly [Name in keyof Declared as string extends Name ? never : Name]: Given<Declared[Name]>
    } & object
  : { readonly [Name in keyof Declared]: Given<Declared[Name]> }

/** What `run` may give for a shape of `returns`, anything where there is none; with `media` a file as well. */
export type GivenFor<Returns, Media = undefined> = Returns extends GenericSchema
  ? Given<InferOutput<Returns>> | (Media extends readonly string[] ? Download : never)
  : unknown

/** What `run` gives, which must be what is declared as well. Apart from it, so that an endpoint that is wrong keeps its own type. */
type Checked<Result, Declared> = Promise<Result | undefined> & Promise<Declared | undefined>

/**
 * An endpoint as a value. The types of `options` and `data` reach `run` from their shapes, and what `run` gives must be what
 * `returns` declares: a field that is missing is named by the compiler.
 */
export function endpoint<
  Result,
  OptionsShape extends GenericSchema | undefined = undefined,
  DataShape extends GenericSchema | undefined = undefined,
  Returns extends GenericSchema | undefined = undefined,
  Media extends readonly string[] | undefined = undefined,
>(slots: {
  allow: OperationName
  options?: OptionsShape
  data?: DataShape
  returns?: Returns
  like?: GenericSchema
  versioned?: boolean
  media?: Media
  http?: Endpoint['http']
  cache?: string
  readOnly?: ReadOnly
  stream?: boolean
  heavy?: boolean
  multipart?: boolean
  statuses?: readonly number[]
  shownOnce?: boolean
  stepUp?: true | ((data: Out<DataShape>) => boolean)
  summary?: string
  hidden?: boolean
  run(
    ctx: Context,
    input: Input<OutOptions<OptionsShape>, Out<DataShape>>,
  ): Checked<Result, GivenFor<Returns, Media>>
}): Endpoint<Result, OutOptions<OptionsShape>, Out<DataShape>> & Sent<In<OptionsShape>, In<DataShape>> {
  return slots
}

/** True for an endpoint, false for a branch of the tree: only endpoints have a `run` that is a function. */
export function isEndpoint(node: Endpoint | Tree): node is Endpoint {
  return typeof node.run === 'function'
}
