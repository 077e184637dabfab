type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const refersToParameter = (value: Json | undefined): boolean =>
  isObject(value) ? 'param' in value : Array.isArray(value) && value.some(refersToParameter)

function withoutMotion(value: Json): Json {
  if (Array.isArray(value)) {
    return value.filter((item) => !(isObject(item) && item.name === 'hover')).map(withoutMotion)
  }
  if (!isObject(value)) return value
  const copy: { [key: string]: Json } = {}
  for (const [key, part] of Object.entries(value)) {
    if (key === 'params' || key === 'tooltip' || (isObject(part) && refersToParameter(part.condition)))
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
