import type { Feature } from 'geojson'
import { canDraw } from '#functions/engine/chart/picture-fonts.ts'
import { nameOfRegion } from './region-names.ts'
import { escapeXml } from './svg.ts'

/**
 * The attribute `data-plain` of a name in letters that the fonts of pictures lack, with the first of `others` that they
 * have, '' for none. Browsers show the name; files of pixels show the other or leave it out.
 */
export function buildPlainAttribute(name: string, others: readonly unknown[]): string {
  if (canDraw(name)) return ''
  const plain = others.find((other): other is string => typeof other === 'string' && canDraw(other))
  return ` data-plain="${escapeXml(plain ?? '')}"`
}

/** The same for regions whose names are joined: each in English, otherwise its own, otherwise its code. */
export function joinPlainAttribute(regions: readonly Pick<Feature, 'properties'>[], locale: string): string {
  const plain = regions.flatMap(({ properties }) => {
    const names: unknown[] = [properties?.['name:en'], properties?.['name'], properties?.['code']]
    return names.find((name) => typeof name === 'string' && canDraw(name)) ?? []
  })
  return buildPlainAttribute(regions.map((region) => nameOfRegion(region, locale)).join(', '), [
    plain.join(', '),
  ])
}
