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
    // Rows of data are the reader's, not ours to look into
    copy[key] = key === 'values' ? part : withoutMotion(part)
  }
  return copy
}

/**
 * The spec without what only a live chart needs: parameters, channels that follow them, tooltips and layers named `hover`.
 * A static drawing with selections would look for a window that is not there.
 */
export function stillSpec<Spec extends object>(spec: Spec): Spec {
  // Through JSON its type is lost; what is left is a spec of the same kind.
  return withoutMotion(JSON.parse(JSON.stringify(spec)) as Json) as unknown as Spec
}
