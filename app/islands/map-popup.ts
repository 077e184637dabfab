import type { MapData, MapPoint, MapRecords } from './map-data.ts'

/**
 * The content of a pop-up: the name, the value of the list, then the feature's properties. With several sources also the source's
 * name. Text nodes only: names and values come from people, never as markup.
 */
export function popupContent(
  point: MapPoint | undefined,
  feature: { properties: Record<string, unknown> } | undefined,
  options: Pick<MapData, 'nameProperty' | 'popup'> | MapRecords,
): Node {
  const box = document.createElement('div')
  const line = (text: string, tag: 'strong' | 'p') => {
    if (text === '') return
    const element = document.createElement(tag)
    element.textContent = text
    box.appendChild(element)
  }
  line(point?.name ?? toText(feature?.properties[options.nameProperty ?? 'name']), 'strong')
  line(point?.value ?? '', 'p')
  for (const text of point?.lines ?? popupLines(feature, options.popup)) line(text, 'p')
  if ('key' in options) line(options.name, 'p')
  return box
}

/** The properties of a feature, with their labels on maps. */
export function popupLines(
  feature: { properties: Record<string, unknown> } | undefined,
  popup: MapData['popup'],
): string[] {
  return (popup ?? []).flatMap(({ property, label }) => {
    const value = toText(feature?.properties[property])
    return value === '' ? [] : [`${label}: ${value}`]
  })
}

const toText = (value: unknown) => (value === undefined || value === null ? '' : String(value as string))
