import { maintenanceWords } from '#functions/shapes/maintenance.ts'

/** The maintenance page (status 500 or above on the root). */
export function Maintenance() {
  const { tag, title, text } = maintenanceWords
  return (
    <main className="state-page">
      <div className="state">
        <p className="tag">{tag}</p>
        <h1 className="state-title">{title}</h1>
        <p className="state-text">{text}</p>
      </div>
    </main>
  )
}
