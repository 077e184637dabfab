import { recordSlots } from '#functions/engine/table/page.ts'

/** The page of record tables with its placeholder: stored once per language, filled for each table. */
export function RecordsShell() {
  return (
    <div className="page records-page" data-records="">
      {recordSlots.content}
    </div>
  )
}
