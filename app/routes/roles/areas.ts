const names: Record<string, string> = {
  api: 'The API',
  auth: 'Signing in',
  dataType: 'Data types',
  data: 'Records',
  placeUser: 'Team',
  internal: 'The product itself',
}

/** The name of an area of operations, as people read it: a known one, else its word with a capital. */
export function areaName(area: string): string {
  return (
    names[area] ??
    area.charAt(0).toUpperCase() +
      area
        .slice(1)
        .replace(/([A-Z])/g, ' $1')
        .toLowerCase()
  )
}
