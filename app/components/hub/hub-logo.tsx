import type { HubImage, HubLogos } from './hub-image.ts'

/** The media queries of the wide and the small logo. */
const roomy = '(min-width: 62.01rem)'
const narrow = '(max-width: 40rem)'

/**
 * The logo that fits the screen, with reserved space. Its alternative text is empty, as the name is present as text, visibly so unless
 * the picture includes it.
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

/** `isOnly`: without an alternative for narrow screens, where it is not loaded. */
function Picture({ image, isOnly = false }: { image: HubImage; isOnly?: boolean }) {
  const only = isOnly ? ({ className: 'is-roomy', loading: 'lazy' } as const) : {}
  return <img alt="" referrerPolicy="no-referrer" {...only} {...image} />
}
