import type { Loss } from '#functions/shapes/export-losses.ts'
import { lossText } from './loss-text.ts'
import { hubTexts } from './texts.ts'

export interface Download {
  /** The format's name: CSV, GeoJSON. */
  format: string
  href: string
  /** The number of rows. */
  rows: number
  /** With its unit: 61 MB. Absent for a streamed file. */
  size?: string
  /** The date of the data, formatted. */
  date: string
  /** What the format cannot represent. */
  losses?: Loss[]
}

/** The downloads with their facts: "CSV · 412,380 rows · 61 MB · data of 20 Nov". */
export function Downloads({ downloads, locale }: { downloads: Download[]; locale: string }) {
  const w = hubTexts(locale)
  return (
    <ul className="downloads">
      {downloads.map((file) => (
        <li key={file.format}>
          <a href={file.href} download aria-label={w.download(file.format)}>
            <span className="download-format">{file.format}</span>
          </a>
          <span className="download-facts">
            {[w.rows(file.rows), file.size, w.dataDate(file.date)].filter(Boolean).join(' · ')}
          </span>
          {file.losses?.length ? (
            <small className="download-losses">{lossText(file.losses, locale)}</small>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
