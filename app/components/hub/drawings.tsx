import { RawSvg } from './raw-svg.tsx'

/** Where the drawings of a figure lie as a file, and the room that each takes. */
export interface StoredDrawing {
  href: string
  /** View boxes. */
  wide: string
  narrow?: string
}

interface DrawingsProps {
  /** The drawings themselves, for where there is no file. */
  svg: string
  svgNarrow?: string | undefined
  stored?: StoredDrawing | undefined
  /** The ids of what names the figure, and of what is said about it. */
  labelledBy: string
  describedBy?: string | undefined
}

/**
 * The picture of a figure for wide and narrow places; the style sheet shows one. Of a stored drawing the page has the room and
 * the reference only, so that the document is there sooner; the drawing has the page's colours and font. With scripts it is
 * asked for after the first paint (`functions/shapes/first-script.ts`), without them at once.
 */
export function Drawings({ svg, svgNarrow, stored, labelledBy, describedBy }: DrawingsProps) {
  if (!stored)
    return (
      <>
        <RawSvg className="figure-wide" svg={svg} />
        {svgNarrow ? <RawSvg className="figure-narrow" svg={svgNarrow} /> : null}
      </>
    )
  const refer = (which: 'wide' | 'narrow', viewBox: string) => {
    const href = `${stored.href}#${which}`
    return (
      <div className={`figure-${which}`}>
        <svg role="img" aria-labelledby={labelledBy} aria-describedby={describedBy} viewBox={viewBox}>
          <use data-href={href} />
        </svg>
        <noscript>
          <svg aria-hidden="true" viewBox={viewBox}>
            <use href={href} />
          </svg>
        </noscript>
      </div>
    )
  }
  return (
    <>
      {refer('wide', stored.wide)}
      {stored.narrow ? refer('narrow', stored.narrow) : null}
    </>
  )
}
