/** Recovery codes, shown once: to download, print or write down. */
export function RecoveryCodes({ codes, email }: { codes: readonly string[]; email: string }) {
  const text = `Recovery codes for ${email} at Commonplace. Each works once.\n\n${codes.join('\n')}\n`
  return (
    <div className="notice is-warning stack">
      <p>
        <b>Keep these recovery codes where you would find them without this device.</b> Each signs you in once
        if you lose your second factor. They are shown this once.
      </p>
      <ol className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="button-group">
        <a
          className="button is-small"
          download="commonplace-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          Download
        </a>
        <button type="button" className="button is-small needs-scripts" onClick={() => window.print()}>
          Print
        </button>
      </div>
    </div>
  )
}
