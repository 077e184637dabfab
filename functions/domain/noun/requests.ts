import { Failure } from '#functions/errors.ts'

/** The input of a domain function: validated options and data, and the place that permission was checked for. */
export interface NounRequest<Options = unknown, Data = unknown> {
  params: Record<string, string>
  options: Options
  data: Data
  /** The place the request is about; null where there is none. */
  placeId: string | null
}

/** A parameter of the path. A missing one is a bug in the tree of endpoints, so it throws `broken`. */
export function param({ params }: { params: Record<string, string> }, name: string): string {
  const value = params[name]
  if (value === undefined) throw new Failure('broken', { cause: new Error(`The path has no ${name}.`) })
  return value
}

/** The place that something is created in. `invalid` when the request names none and the person works in none. */
export function requirePlaceId({ placeId }: { placeId: string | null }): string {
  if (placeId !== null) return placeId
  throw new Failure('invalid', {
    issues: [{ path: ['placeId'], message: 'Required.', validator: 'required' }],
  })
}
