/** What makes two values the same: their keys, however they are spelled. `Order ID`, `order_id` → `orderid` */
export function valueKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]+/g, "");
}
