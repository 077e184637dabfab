import { mediaPath } from './address.ts'

/** A picture size. Format and density depend on the browser; arbitrary sizes are not supported. */
interface Preset {
  /** Width in CSS pixels; a smaller picture is never enlarged. */
  width: number
  format: 'auto'
  quality: 100
  dpr: 'auto'
}

const auto = { format: 'auto', quality: 100, dpr: 'auto' } as const

export const presets = {
  thumb: { width: 160, ...auto },
  card: { width: 480, ...auto },
  wide: { width: 1200, ...auto },
  full: { width: 2400, ...auto },
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof presets

/** Supported screen densities. */
export const densities = [1, 2, 3] as const

/** Types that are resized. Drawings have no size; animations would stop. */
const resized: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/avif'])

export function isResized(type: string): boolean {
  return resized.has(type)
}

/** True for the name of a preset. */
export function isPreset(name: string): name is PresetName {
  return Object.hasOwn(presets, name)
}

interface Picture {
  id: string
  name: string
  type: string
}

/** The path of a picture in a preset size, on any host of the product; unchanged for types that are not resized. */
export function imageUrl(file: Picture, preset: PresetName, density: (typeof densities)[number] = 1): string {
  const path = mediaPath(file)
  if (!isResized(file.type)) return path
  return `${path}?preset=${preset}${density === 1 ? '' : `&dpr=${density}`}`
}

/**
 * A `srcset` for a picture as wide as its page: the browser chooses by layout width and density. Contains the sizes that
 * the picture has, and one for all larger ones. Undefined for types that are not resized.
 */
export function imageWidths(file: Picture & { width: number | null }): string | undefined {
  const { width } = file
  if (!isResized(file.type) || width === null) return undefined
  const wide = (['card', 'wide', 'full'] as const).filter((name) => presets[name].width < width)
  const original = `${mediaPath(file)} ${width}w`
  const variants = wide.map((name) => `${imageUrl(file, name)} ${presets[name].width}w`)
  return [...variants, ...(width <= presets.full.width ? [original] : [])].join(', ')
}

/** A `srcset` by screen density. Undefined for types that are not resized. */
export function imageSet(file: Picture, preset: PresetName): string | undefined {
  if (!isResized(file.type)) return undefined
  return densities.map((density) => `${imageUrl(file, preset, density)} ${density}x`).join(', ')
}
