import type { HubImage, HubLogos } from './hub-image.ts'

/** The widths from which there is room for the wide logo, and up to which there is only room for the small one. */
const roomy = '(min-width: 62.01rem)'
const narrow = '(max-width: 40rem)'

/**
 * One picture, of the logo that fits the screen. It says nothing: the name stands beside it in words, for eyes too where
 * the picture has no words of its own. Each keeps its room, so nothing moves when it comes.
 */
export function HubLogo({ mark, wide, small }: HubLogos) {
  const image = mark ?? small
  if (!image) return wide ? <Picture image={wide} isOnly /> : null
  return (
    <picture>
      {wide ? <Source image={wide} media={roomy} /> : null}
      {mark && small ? <Source image={small} media={narrow} /> : null}
      <Picture image={image} />
    </picture>
  )
}

function Source({ image: { src, srcSet, ...size }, media }: { image: HubImage; media: string }) {
  return <source media={media} srcSet={srcSet ?? src} {...size} />
}

/** `isOnly`: there is no other for where it has no room, and there it is not fetched. */
function Picture({ image, isOnly = false }: { image: HubImage; isOnly?: boolean }) {
  const only = isOnly ? ({ className: 'is-roomy', loading: 'lazy' } as const) : {}
  return <img alt="" referrerPolicy="no-referrer" {...only} {...image} />
}
