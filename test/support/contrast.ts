import type { Page } from 'playwright-core';

/**
 * Returns the texts of a page whose contrast to their background is too low (WCAG 2.2, 1.4.3): below 4.5 to 1, or 3 to
 * 1 for large text. Each combination is listed once, with its ratio.
 */
export const paleTexts = (page: Page): Promise<string[]> => page.evaluate(FIND) as Promise<string[]>;

/** The script that runs in the page. It uses a canvas to convert colours of any notation. */
const FIND = `(() => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const colour = (text) => {
    if (!known.has(text)) known.set(text, draw(text));
    return known.get(text);
  };
  const draw = (text) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return { parts: [red, green, blue], alpha: alpha / 255 };
  };
  const over = (above, below) =>
    below.map((part, place) => part * (1 - above.alpha) + above.parts[place] * above.alpha);
  const light = (parts) => {
    const [red, green, blue] = parts.map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const backgroundOf = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const layer = colour(getComputedStyle(one).backgroundColor);
      layers.unshift(layer);
      if (layer.alpha === 1) break;
    }
    return layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const isRead = (element) =>
    !element.closest('[aria-hidden=true], svg, noscript, script, style') &&
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '') &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const found = new Map();
  for (const element of document.querySelectorAll('body *')) {
    if (!isRead(element)) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const background = backgroundOf(element);
    const [high, low] = [light(over(colour(color), background)), light(background)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5))
      found.set(ratio.toFixed(2) + ' ' + color, ratio.toFixed(2) + ': ' + element.textContent.trim().slice(0, 40));
  }
  return [...found.values()];
})()`;
