/** The message of an embed to its parent page, so that this can adjust the height. */
export interface HeightMessage {
  /** Identifies our messages, as pages get messages from all their frames. */
  source: 'commonplace'
  type: 'height'
  /** In CSS pixels. */
  height: number
}

/** Tells the parent page the height of this one, now and on changes. Not sensitive, so the target origin is not restricted. */
export function postHeight() {
  if (parent === window) return
  // Height by content, as it could otherwise only grow.
  document.body.style.minHeight = '0'
  let last = 0
  const reportHeight = () => {
    // The body fills the frame, so its own height is useless.
    const height = Math.ceil(
      [...document.body.children].reduce(
        (low, child) => Math.max(low, child.getBoundingClientRect().bottom),
        0,
      ) +
        scrollY +
        parseFloat(getComputedStyle(document.body).paddingBottom),
    )
    if (height === last) return
    last = height
    const message: HeightMessage = { source: 'commonplace', type: 'height', height }
    parent.postMessage(message, '*')
  }
  new ResizeObserver(reportHeight).observe(document.body)
  new MutationObserver(() => requestAnimationFrame(reportHeight)).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
  })
  reportHeight()
}
