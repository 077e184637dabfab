const names: Record<string, string> = {
  api: 'The API',
  auth: 'Signing in',
  dataType: 'Data types',
  data: 'Records',
  placeUser: 'Team',
  internal: 'The product itself',
}

/** The label of an area of operations: a known one, else its word capitalized. */
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
