import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';

/** Decodes the QR code in the image `#qr` of the page, as a phone's camera does. */
export async function scanned(page: Page): Promise<string> {
  const { data, ...size } = (await page.evaluate(`(async () => {
    const image = document.getElementById('qr');
    await image.decode();
    const side = 400;
    const canvas = new OffscreenCanvas(side, side).getContext('2d');
    canvas.fillStyle = getComputedStyle(image).backgroundColor;
    canvas.fillRect(0, 0, side, side);
    canvas.drawImage(image, 20, 20, side - 40, side - 40);
    // A text, since Playwright takes seconds to pass on a list of so many numbers.
    let data = '';
    for (const value of canvas.getImageData(0, 0, side, side).data) data += String.fromCharCode(value);
    return { width: side, height: side, data };
  })()`)) as { width: number; height: number; data: string };
  return decodeQR({ ...size, data: Uint8Array.from(Buffer.from(data, 'latin1')) });
}
