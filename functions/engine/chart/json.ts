/** A value of a spec as JSON; members that are undefined are left out when it is written. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export interface JsonObject {
  [key: string]: Json | undefined
}

/** Whether a value of a spec is an object: not a list, not null, not absent. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
