import { words } from './words.ts'

/** The page of a hub that was never published; it needs no frame, since there is nothing to go to yet. */
export function BeingPrepared({ displayName, locale }: { displayName?: string; locale: string }) {
  const w = words(locale)
  return (
    <main className="state-page">
      <div className="state">
        {displayName ? <p className="tag">{displayName}</p> : null}
        <h1 className="state-title">{w.preparing}</h1>
        <p className="state-text">{w.preparingText}</p>
      </div>
    </main>
  )
}
