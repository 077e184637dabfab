/** The whole page while the product is down (status 500 or above on the root). */
export function Maintenance() {
  return (
    <main className="state-page">
      <div className="state">
        <p className="tag">System Maintenance</p>
        <h1 className="state-title">Maintenance in progress</h1>
        <p className="state-text">We'll be back up and running as soon as possible!</p>
      </div>
    </main>
  )
}
