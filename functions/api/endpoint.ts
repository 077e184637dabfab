import type { ReadOnly } from './read-only.ts'
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { OperationName } from '#functions/domain/access/operations.ts'
import type { Context } from '#functions/context.ts'
import type { Download } from '#functions/shapes/download.ts'

/** The input of an endpoint's function: validated options and data, and the place that permission was checked for. */
export interface Input<Options = unknown, Data = unknown> {
  params: Record<string, string>
  options: Options
  data: Data
  /** The place of the request; null without one. Never read a place from `data`: permission was checked for this one. */
  placeId: string | null
}

/** The definition of an endpoint of `/v1`. Path, method and status follow from its name in the tree. */
export interface Endpoint<Result = unknown, Options = never, Data = never> {
  readonly allow: OperationName
  /** Schema of the query string; without one the endpoint takes no options. */
  readonly options?: GenericSchema
  /** Schema of the JSON body; without one no body is read. */
  readonly data?: GenericSchema
  readonly returns?: GenericSchema
  /** Read-only members that a body may hold if they equal the stored values. */
  readonly readOnly?: ReadOnly
  /** The documented shape of `data` for the reference, where `data` itself accepts anything. */
  readonly like?: GenericSchema
  /** Checks `If-Match` though it is no update: `conflict` where the stored version is newer. */
  readonly versioned?: boolean
  /** The content types of an answer that is a `Download`. */
  readonly media?: readonly string[]
  /** Only for names that are not one of the six verbs. Default: POST on the collection. `one`: on the instance. */
  readonly http?: { method: 'get' | 'post' | 'patch' | 'delete'; one?: boolean }
  /** `Cache-Control` of anonymous responses; `private, no-cache` for all others. */
  readonly cache?: string
  /** The response is a `Download` in a format of its own: the endpoint handles `Accept` itself. */
  readonly stream?: boolean
  /** Expensive: has its own rate limit. */
  readonly heavy?: boolean
  /** The body may be `multipart/form-data` as well: `data` is then `{ file: File, ...fields }`. */
  readonly multipart?: boolean
  /** Further success statuses; the function chooses one by `ctx.responded`. */
  readonly statuses?: readonly number[]
  /** The response holds a secret that is shown once, so it is not stored for idempotent retries. */
  readonly shownOnce?: boolean
  /**
   * Requests by a session need a re-authentication at most ten minutes old. A function: only for such data.
   */
  readonly stepUp?: true | ((data: Data) => boolean)
  /** A sentence for the reference; by default made of the name. */
  readonly summary?: string
  /** Left out of the API map. */
  readonly hidden?: boolean
  run(ctx: Context, input: Input<Options, Data>): Promise<Result | undefined>
}

export interface Tree {
  readonly [name: string]: Endpoint | Tree
}

type SchemaOutput<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : undefined
type OutOptions<Schema> = Schema extends GenericSchema ? InferOutput<Schema> : Record<string, never>

/** The input of callers before validation; only a type. */
export interface CallerInput<Options = unknown, Data = unknown> {
  readonly sent?: { options: Options; data: Data }
}
type SchemaInput<Schema> = Schema extends GenericSchema ? InferInput<Schema> : undefined

/** The result type of an endpoint that succeeds. */
export type EndpointResult<E extends Endpoint> = E extends { run(...input: never[]): Promise<infer Result> }
  ? Exclude<Result, undefined>
  : never

/**
 * What `run` may return where `returns` declares the type `Declared`: JSON turns a Date into text and omits undefined.
 * For a declared record the result may be an interface too.
 */
type ReturnValue<Declared> = Declared extends Date
  ? Date | string
  : Declared extends string
    ? string extends Declared
      ? Declared | Date
      : Declared
    : Declared extends object
      ? string extends keyof Declared
        ? GivenLoose<Declared>
        : { readonly [Name in keyof Declared]: ReturnValue<Declared[Name]> }
      : Declared

/** A type with an index signature: its named members, and the type of all others. */
type GivenLoose<Declared> = unknown extends Declared[keyof Declared]
  ? {
      readonly [Name in keyof Declared as string extends Name ? never : Name]: ReturnValue<Declared[Name]>
    } & object
  : { readonly [Name in keyof Declared]: ReturnValue<Declared[Name]> }

/** What `run` may return for a schema of `returns`: anything without one; with `media` a Download as well. */
export type ReturnValueFor<Returns, Media = undefined> = Returns extends GenericSchema
  ? ReturnValue<InferOutput<Returns>> | (Media extends readonly string[] ? Download : never)
  : unknown

/**
 * Requires the result of `run` to be of the declared type as well. A type of its own, so that an invalid endpoint keeps
 * its inferred type.
 */
type DeclaredResult<Result, Declared> = Promise<Result | undefined> & Promise<Declared | undefined>

/**
 * Defines an endpoint. The types of `options` and `data` are inferred from their schemas, and the compiler checks the
 * result of `run` against `returns`, naming a missing field.
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
  stepUp?: true | ((data: SchemaOutput<DataShape>) => boolean)
  summary?: string
  hidden?: boolean
  run(
    ctx: Context,
    input: Input<OutOptions<OptionsShape>, SchemaOutput<DataShape>>,
  ): DeclaredResult<Result, ReturnValueFor<Returns, Media>>
}): Endpoint<Result, OutOptions<OptionsShape>, SchemaOutput<DataShape>> &
  CallerInput<SchemaInput<OptionsShape>, SchemaInput<DataShape>> {
  return slots
}

/** True for an endpoint, false for a branch of the tree: only endpoints have a `run` that is a function. */
export function isEndpoint(node: Endpoint | Tree): node is Endpoint {
  return typeof node.run === 'function'
}
