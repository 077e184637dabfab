import type { HubHeaderImage, HubImage, HubLogos } from '#app/components/hub/hub-image.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import { fileIn, themePictures, type ThemePicture } from '#functions/domain/place/theme-pictures.ts'
import { imageSet, imageUrl, imageWidths, type PresetName } from '#functions/engine/media/presets.ts'
import type { ThemeImage } from '#functions/shapes/place.ts'

interface HubPictures {
  logos: HubLogos
  header: HubHeaderImage | undefined
  /** The URL of the favicon. */
  icon: string | undefined
}

/** Height of a logo in CSS pixels. */
const logoHeight = 40

/** Boxes for images of unknown size: a square, the widest logo, the header image. */
const square = { width: logoHeight, height: logoHeight }
const oblong = { width: 4 * logoHeight, height: logoHeight }
const head = { width: 1200, height: 480 }

/**
 * The pictures of a place on its hub: files of the place by their permanent public URLs in a fitting size; external images, whose size
 * is unknown, in a reserved box. Deleted files are left out. Memoized for all pages.
 */
export async function hubPictures(
  ctx: Context,
  { id, theme }: { id: string; theme: Record<string, string> },
): Promise<HubPictures> {
  // As an array: the memory measures values as JSON.
  const files = await memoize(ctx, 'hub', `pictures ${JSON.stringify([id, theme])}`, async (asking) => [
    ...(await themePictures(asking, id, theme)),
  ])
  const pictureByFile = new Map(files)
  const findPicture = (name: ThemeImage) => pictureByFile.get(fileIn(theme[name]) ?? '')
  const onWeb = (name: ThemeImage) => (/^https:\/\//i.test(theme[name] ?? '') ? theme[name] : undefined)
  const logo = (name: ThemeImage, preset: PresetName, room: typeof square) => {
    const [file, src] = [findPicture(name), onWeb(name)]
    return file ? toLogoImage(file, preset, room) : src && { src, ...room }
  }
  const [mark, wide, small] = [
    logo('logoImage', 'thumb', square),
    logo('logoFullImage', 'card', oblong),
    logo('logoCollapseImage', 'thumb', square),
  ]
  const icon = findPicture('squareImage')
  return {
    logos: { ...(mark && { mark }), ...(wide && { wide }), ...(small && { small }) },
    header: toHeaderImage(findPicture('headerImage'), onWeb('headerImage')),
    icon: icon ? imageUrl(icon, 'thumb') : onWeb('squareImage'),
  }
}

function toLogoImage(file: ThemePicture, preset: PresetName, room: typeof square): HubImage {
  const { width, height } = file
  const size =
    width && height ? { width: Math.round((logoHeight * width) / height), height: logoHeight } : room
  return { src: imageUrl(file, preset), srcSet: imageSet(file, preset), ...size }
}

function toHeaderImage(file: ThemePicture | undefined, src: string | undefined): HubHeaderImage | undefined {
  if (!file) return src === undefined ? undefined : { src, alt: '', keeps: 'middle', ...head }
  const { alt, focalY } = file
  const keeps = focalY < 1 / 3 ? 'top' : focalY > 2 / 3 ? 'bottom' : 'middle'
  const size = { width: file.width ?? head.width, height: file.height ?? head.height }
  return { src: imageUrl(file, 'wide'), srcSet: imageWidths(file), alt, keeps, ...size }
}
