import { useId } from 'react'
import { uniqueIds } from './unique-ids.ts'

interface RawSvgProps {
  /** A picture made by our own chart or map renderer; never text of a visitor or an editor. */
  svg: string
  className?: string
}

/**
 * Shows a rendered chart or map inline, so that it takes the page's fonts and colours and is there before any
 * script. The only place of the hub that puts markup in unescaped besides RichText: the SVG is the output of
 * our own renderer, which escapes what it draws.
 */
export function RawSvg({ svg, className }: RawSvgProps) {
  const prefix = 'f' + useId().replaceAll(':', '')
  return <div className={className} dangerouslySetInnerHTML={{ __html: uniqueIds(svg, prefix) }} />
}
