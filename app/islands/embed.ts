/** What a frame tells the page around it, so that it can make it as high as it needs to be. */
export interface HeightMessage {
  /** From us: pages get messages from all their frames. */
  source: 'commonplace'
  type: 'height'
  /** In CSS pixels. */
  height: number
}

/** Tells the page around this one how high this one is, now and whenever that changes. Nothing else is said, so anybody may know it. */
export function sayHeight() {
  if (parent === window) return
  // As high as what it holds: else it could only grow.
  document.body.style.minHeight = '0'
  let last = 0
  const say = () => {
    // Its body fills the frame, so the frame's own height says nothing.
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
  new ResizeObserver(say).observe(document.body)
  new MutationObserver(() => requestAnimationFrame(say)).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
  })
  say()
}
