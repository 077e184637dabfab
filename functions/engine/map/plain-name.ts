import type { Feature } from 'geojson'
import { nameOfRegion } from './region-names.ts'
import { escapeXml } from './svg.ts'

const isPlain = (name: string) => /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u.test(name)

/**
 * The attribute `data-plain` of a name in other than Latin letters, with the first of `others` that is in Latin, '' for
 * none. Browsers show the name; files of pixels, whose fonts have few scripts, show the other or leave it out.
 */
export function plainAttribute(name: string, others: readonly unknown[]): string {
  if (name === '' || isPlain(name)) return ''
  const plain = others.find((other): other is string => typeof other === 'string' && isPlain(other))
  return ` data-plain="${escapeXml(plain ?? '')}"`
}

/** The same for regions whose names are joined: each in English, otherwise its own, otherwise its code. */
export function plainAttributeOf(regions: readonly Pick<Feature, 'properties'>[], locale: string): string {
  const plain = regions.flatMap(({ properties }) => {
    const names: unknown[] = [properties?.['name:en'], properties?.['name'], properties?.['code']]
    return names.find((name) => typeof name === 'string' && isPlain(name)) ?? []
  })
  return plainAttribute(regions.map((region) => nameOfRegion(region, locale)).join(', '), [plain.join(', ')])
}
