import { isJsonObject, type Json, type JsonObject } from './json.ts'

const refersToParameter = (value: Json | undefined): boolean =>
  isJsonObject(value) ? 'param' in value : Array.isArray(value) && value.some(refersToParameter)

function withoutMotion(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) {
    return value
      .filter((item) => !(isJsonObject(item) && item.name === 'hover'))
      .map((item) => withoutMotion(item) ?? null)
  }
  if (!isJsonObject(value)) return value
  const copy: JsonObject = {}
  for (const [key, part] of Object.entries(value)) {
    if (key === 'params' || key === 'tooltip' || (isJsonObject(part) && refersToParameter(part.condition)))
      continue
    // Data rows are copied unchanged
    copy[key] = key === 'values' ? part : withoutMotion(part)
  }
  return copy
}

/**
 * Removes everything that only an interactive chart needs: parameters, dependent channels, tooltips and layers named
 * `hover`. Static rendering of selections would need a window.
 */
export function toStaticSpec<Spec extends object>(spec: Spec): Spec {
  // JSON loses the type; the result is a spec of the same kind.
  return withoutMotion(JSON.parse(JSON.stringify(spec)) as Json) as unknown as Spec
}
