import type { Visualization } from '#functions/shapes/analytics.ts'
import { visualizationTypes } from '#functions/shapes/analytics.ts'
import { isObject, type JsonObject } from './json.ts'

/** A question that is being made. `visualization` is null while its answer is drawn as tells most. */
export interface Draft {
  dataTypeId: string
  sourceId: string | null
  query: JsonObject
  visualization: Visualization | null
}

/** The question one begins with: how many records there are. */
export const firstQuery: JsonObject = {
  aggregations: [{ alias: 'count', name: 'Count', value: { function: 'count' } }],
}

/** The draft that JSON says; null when it says none. */
export function draftIn(json: unknown): Draft | null {
  if (!isObject(json) || typeof json.dataTypeId !== 'string' || !isObject(json.query)) return null
  return {
    dataTypeId: json.dataTypeId,
    sourceId: typeof json.sourceId === 'string' ? json.sourceId : null,
    query: json.query,
    visualization: visualizationIn(json.visualization),
  }
}

/** The visualization that JSON says; null when it says none that there is. */
export function visualizationIn(json: unknown): Visualization | null {
  if (!isObject(json)) return null
  const type = visualizationTypes.find((each) => each === json.type)
  if (!type) return null
  return isObject(json.settings) ? { type, settings: json.settings } : { type }
}

/** A draft with what a form held that came back; as it was where its texts are no question. */
export function typedDraft(draft: Draft, formValues: Record<string, string>): Draft {
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
