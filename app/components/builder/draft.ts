import type { Visualization } from '#functions/shapes/analytics.ts'
import { visualizationTypes } from '#functions/shapes/analytics.ts'
import { isObject, type JsonObject } from './json.ts'

/** An unsaved query. `visualization` null: chosen automatically. */
export interface Draft {
  dataTypeId: string
  sourceId: string | null
  query: JsonObject
  visualization: Visualization | null
}

/** The initial query: the number of records. */
export const firstQuery: JsonObject = {
  aggregations: [{ alias: 'count', name: 'Count', value: { function: 'count' } }],
}

/** Parses a draft; null if invalid. */
export function draftIn(json: unknown): Draft | null {
  if (!isObject(json) || typeof json.dataTypeId !== 'string' || !isObject(json.query)) return null
  return {
    dataTypeId: json.dataTypeId,
    sourceId: typeof json.sourceId === 'string' ? json.sourceId : null,
    query: json.query,
    visualization: visualizationIn(json.visualization),
  }
}

/** Parses a visualization; null if invalid. */
export function visualizationIn(json: unknown): Visualization | null {
  if (!isObject(json)) return null
  const type = visualizationTypes.find((each) => each === json.type)
  if (!type) return null
  return isObject(json.settings) ? { type, settings: json.settings } : { type }
}

/** The draft with submitted form values; unchanged if these are no valid query. */
export function applyFormValues(draft: Draft, formValues: Record<string, string>): Draft {
  const query = jsonIn(formValues.query)
  if (!isObject(query)) return draft
  const type = visualizationTypes.find((each) => each === formValues.type)
  const visualization = type ? { type } : visualizationIn(jsonIn(formValues.visualization))
  return { ...draft, query, visualization: visualization ?? draft.visualization }
}

function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown
  } catch {
    return null
  }
}
