import { mediaPath } from './address.ts'

/** How a picture is made smaller. Format and density follow the browser that asks; no size is asked for freely. */
interface Preset {
  /** Pixels of the page, before the screen's density; a smaller picture is never enlarged. */
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

/** Screen densities a picture is made for. */
export const densities = [1, 2, 3] as const

/** Types that are made smaller. Drawings have no size; moving pictures would stop. */
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

/** The path of a picture in the size of a preset, on any host of the product; what is not resized as it is. */
export function imageUrl(file: Picture, preset: PresetName, density: (typeof densities)[number] = 1): string {
  const path = mediaPath(file)
  if (!isResized(file.type)) return path
  return `${path}?preset=${preset}${density === 1 ? '' : `&dpr=${density}`}`
}

/**
 * For `srcset` of a picture as wide as its page: the browser chooses by the room there is and the density of its screen. Only
 * sizes that the picture has, and what is larger than any once. Undefined for what is not resized.
 */
export function imageWidths(file: Picture & { width: number | null }): string | undefined {
  const { width } = file
  if (!isResized(file.type) || width === null) return undefined
  const wide = (['card', 'wide', 'full'] as const).filter((name) => presets[name].width < width)
  const original = `${mediaPath(file)} ${width}w`
  const variants = wide.map((name) => `${imageUrl(file, name)} ${presets[name].width}w`)
  return [...variants, ...(width <= presets.full.width ? [original] : [])].join(', ')
}

/** For `srcset`: the browser chooses by the density of its screen. Undefined for what is not resized. */
export function imageSet(file: Picture, preset: PresetName): string | undefined {
  if (!isResized(file.type)) return undefined
  return densities.map((density) => `${imageUrl(file, preset, density)} ${density}x`).join(', ')
}
