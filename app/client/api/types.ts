import type { Endpoint, EndpointResult, CallerInput, Tree } from '#functions/api/endpoint.ts'

/** One row of the table: path and method of an endpoint. */
export interface Place {
  path: string
  method: string
}

/** The table of all endpoints by name, as `GET /v1` returns it. */
export interface Table {
  [name: string]: Place | Table
}

/** A value after JSON serialization: dates are text. */
type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [Key in keyof T]: Json<T[Key]> }
      : T

/** Names that only group others: no id. */
type Folder = 'core' | 'auth'
type OneRow = 'findById' | 'updateById' | 'deleteById'

type Options<E> =
  E extends CallerInput<infer O, unknown> ? ([O] extends [undefined] ? object : { options?: O }) : object
type Data<E> =
  E extends CallerInput<unknown, infer D>
    ? [D] extends [undefined]
      ? object
      : undefined extends D
        ? { data?: D }
        : { data: D }
    : object

/** The arguments of a call: the ids of its path, its options, its body. */
type CallArguments<E, Ids extends string, Own extends string, Verb> = {
  [Id in Ids]: string
} & (Verb extends OneRow ? { [Id in Own]: string } : { [Id in Own]?: string }) &
  Options<E> &
  Data<E>

/** A call of an endpoint; the arguments are optional if none is required. */
type Call<E extends Endpoint, A> = object extends A
  ? (params?: A, how?: CallOptions) => Promise<Json<EndpointResult<E>>>
  : (params: A, how?: CallOptions) => Promise<Json<EndpointResult<E>>>

/** Options of a call that do not depend on the endpoint. */
export interface CallOptions {
  signal?: AbortSignal
}

/** A tree of endpoints as calls: the same names, with the ids of the nouns above each. */
export type Client<T, Ids extends string = never, Own extends string = never> = {
  [Name in keyof T as Name extends `${string}.${string}` ? never : Name]: T[Name] extends Endpoint
    ? Call<T[Name], CallArguments<T[Name], Ids, Own, Name>>
    : T[Name] extends Tree
      ? Client<T[Name], Ids | Own, Name extends Folder ? never : `${Name & string}Id`>
      : never
}
