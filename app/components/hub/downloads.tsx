import type { Loss } from '#functions/shapes/exportLosses.ts'
import { lossText } from './loss-text.ts'
import { words } from './words.ts'

export interface Download {
  /** The format's name: CSV, GeoJSON. */
  format: string
  href: string
  /** How many rows it has. */
  rows: number
  /** With its unit: 61 MB. Absent for a file that is written while it is sent. */
  size?: string
  /** The date of the data, formatted. */
  date: string
  /** What it cannot hold as it is. */
  losses?: Loss[]
}

/** The files, each with what one wants to know before the click: "CSV · 412,380 rows · 61 MB · data of 20 Nov". */
export function Downloads({ downloads, locale }: { downloads: Download[]; locale: string }) {
  const w = words(locale)
  return (
    <ul className="downloads">
      {downloads.map((file) => (
        <li key={file.format}>
          <a href={file.href} download aria-label={w.download(file.format)}>
            <span className="download-format">{file.format}</span>
          </a>
          <span className="download-facts">
            {[w.rows(file.rows), file.size, w.dataOf(file.date)].filter(Boolean).join(' · ')}
          </span>
          {file.losses?.length ? (
            <small className="download-losses">{lossText(file.losses, locale)}</small>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
