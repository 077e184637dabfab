import { RawSvg } from './raw-svg.tsx'

/** The file with a figure's drawings, and the sizes of both. */
export interface StoredDrawing {
  href: string
  /** View boxes. */
  wide: string
  narrow?: string
}

interface DrawingsProps {
  /** The drawings inline, where there is no file. */
  svg: string
  svgNarrow?: string | undefined
  storedDrawing?: StoredDrawing | undefined
  /** The ids of the figure's title and description. */
  labelledBy: string
  describedBy?: string | undefined
}

/**
 * The drawing of a figure for wide and narrow containers; the style sheet shows one. For a stored drawing the page has only a reserved
 * box and a reference, so that the document is smaller; the drawing uses the page's colours and font. With scripts it is loaded after
 * the first paint (`functions/shapes/first-script.ts`), without them at once.
 */
export function Drawings({ svg, svgNarrow, storedDrawing, labelledBy, describedBy }: DrawingsProps) {
  if (!storedDrawing)
    return (
      <>
        <RawSvg className="figure-wide" svg={svg} />
        {svgNarrow ? <RawSvg className="figure-narrow" svg={svgNarrow} /> : null}
      </>
    )
  const refer = (which: 'wide' | 'narrow', viewBox: string) => {
    const href = `${storedDrawing.href}#${which}`
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
      {refer('wide', storedDrawing.wide)}
      {storedDrawing.narrow ? refer('narrow', storedDrawing.narrow) : null}
    </>
  )
}
