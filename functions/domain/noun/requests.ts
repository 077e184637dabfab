import { Failure } from '#functions/errors.ts'

/** What a domain function is asked: checked options and data, and the place permission was checked for. */
export interface NounRequest<Options = unknown, Data = unknown> {
  params: Record<string, string>
  options: Options
  data: Data
  /** The place the request is about; null where there is none. */
  placeId: string | null
}

/** A parameter of the path. That it is missing is a mistake in the tree, never of the sender. */
export function param({ params }: { params: Record<string, string> }, name: string): string {
  const value = params[name]
  if (value === undefined) throw new Failure('broken', { cause: new Error(`The path has no ${name}.`) })
  return value
}

/** The place something is made in. `invalid` when none is named and the person works in none. */
export function placeOf({ placeId }: { placeId: string | null }): string {
  if (placeId !== null) return placeId
  throw new Failure('invalid', {
    issues: [{ path: ['placeId'], message: 'Required.', validator: 'required' }],
  })
}
